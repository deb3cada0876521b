import type { RunStatus } from '../../../core/base/run-status';
import type { Statement } from '../pipeline';
import { BY_CREATION, inTimes, isUuid, openPage, type ListPage, type PageRequest } from './page';
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

/** The statement of a list of runs; tests read its plan. What is not asked for is no part of it: its plan is kept. */
export function runsQuery(callerId: string, filter: RunFilter): { statement: Statement; page: ListPage } {
  const page = openPage('runs', filter, BY_CREATION[filter.sort ?? '-created_at']);
  const params: unknown[] = [callerId];
  const param = (value: unknown): string => `$${params.push(value ?? null)}`;
  const conditions = [
    statusFilter(filter.status, param),
    playbookFilter(filter.playbook, param),
    idFilter('profile_id', filter.profile, param),
    idFilter('team_id', filter.team, param),
    inTimes('created_at', param(filter.created_from), param(filter.created_before)),
    page.after(param(page.position[0]), param(page.position[1])),
  ];
  const text = visibleRows({
    from: 'runs',
    columns: RUN_SUMMARY_COLUMNS,
    where: conditions.filter((condition) => condition !== '').join(' and '),
    order: page.order,
    limit: param(page.take),
  });
  return { statement: { text, params }, page };
}

type Param = (value: unknown) => string;

/** Each form reads an index of its own. */
function playbookFilter(playbook: string | undefined, param: Param): string {
  if (playbook === undefined) return '';
  return isUuid(playbook) ? `playbook_id = ${param(playbook)}::uuid` : `playbook_slug = ${param(playbook)}`;
}

function idFilter(column: string, id: string | undefined, param: Param): string {
  return id === undefined ? '' : `${column} = ${param(id)}`;
}

/** One status reads its index in the order of the list; several could not. */
function statusFilter(status: RunStatus[] | undefined, param: Param): string {
  if (status === undefined) return '';
  return status.length === 1 ? `status = ${param(status[0])}` : `status = any(${param(status)})`;
}
