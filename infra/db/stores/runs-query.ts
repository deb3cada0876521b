import type { RunStatus } from '../../../core/base/run-status';
import { BY_CREATION, isUuid, openPage, type ListPage, type PageRequest } from './page';
import { RUN_SUMMARY_COLUMNS } from './run-types';
import { visibleRows } from './visible-rows';

export interface RunFilter extends PageRequest {
  sort?: keyof typeof BY_CREATION;
  status?: RunStatus[];
  /** Id or slug. */
  playbook?: string;
  /** RFC 3339, inclusive and exclusive. */
  created_from?: string;
  created_before?: string;
  /** Ids. */
  profile?: string;
  team?: string;
}

/** The statement of a list of runs; tests read its plan. */
export function runsQuery(callerId: string, filter: RunFilter): { text: string; params: unknown[]; page: ListPage } {
  const page = openPage('runs', filter, BY_CREATION[filter.sort ?? '-created_at']);
  const text = visibleRows({
    from: 'runs',
    columns: RUN_SUMMARY_COLUMNS,
    where: `${statusFilter(filter.status)}
      and ${playbookFilter(filter.playbook)}
      and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)
      and ${idFilter('profile_id', '$9', filter.profile)} and ${idFilter('team_id', '$10', filter.team)}
      and ${page.after('$6', '$7')}`,
    order: page.order,
    limit: '$8',
  });
  const params = [
    callerId,
    filter.status ?? null,
    filter.playbook ?? null,
    filter.created_from ?? null,
    filter.created_before ?? null,
    ...page.position,
    page.take,
    filter.profile ?? null,
    filter.team ?? null,
  ];
  return { text, params, page };
}

/** Each form reads an index of its own. */
function playbookFilter(playbook: string | undefined): string {
  if (playbook === undefined) {
    return '$3::text is null';
  }
  return isUuid(playbook) ? 'playbook_id = $3::text::uuid' : 'playbook_slug = $3';
}

function idFilter(column: string, param: string, id: string | undefined): string {
  return id === undefined ? `${param}::uuid is null` : `${column} = ${param}`;
}

/** One status reads its index in the order of the list; several could not. */
function statusFilter(status: RunStatus[] | undefined): string {
  return status?.length === 1 ? 'status = ($2::text[])[1]' : '($2::text[] is null or status = any($2))';
}
