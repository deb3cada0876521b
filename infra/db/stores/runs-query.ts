import type { RunStatus } from '../../../core/base/run-status';
import type { ReadMode, Statement } from '../database';
import { isUuid } from '../../../core/base/uuid';
import {
  BY_CREATION,
  openPage,
  type IndexColumn,
  type ListPage,
  type PageRequest,
  type Param,
  type PageClauses,
} from './page';
import { RUN_SUMMARY_COLUMNS } from './run-types';
import { visibleRows } from './visible-rows';

export interface RunFilter extends PageRequest {
  sort?: keyof typeof BY_CREATION;
  status?: RunStatus[];
  /** Id or slug. */
  playbook?: string;
  /** RFC 3339, inclusive and exclusive. */
  created_after?: string;
  created_before?: string;
  /** Ids. */
  profile?: string;
  team?: string;
}

export interface RunsQuery {
  statement: Statement;
  /** Reading mode: with one filter at most, its index is right for every value. */
  reading: ReadMode;
  page: ListPage;
}

/** The statement of a list of runs; tests read its plan. What is not asked for is no part of it. */
export function runsQuery(callerId: string, filter: RunFilter): RunsQuery {
  const page = openPage('runs', filter, BY_CREATION[filter.sort ?? '-created_at']);
  const params: unknown[] = [callerId];
  const param: Param = (value) => `$${params.push(value)}`;
  const indexed = indexedFilters(filter, param);
  const others = otherFilters(filter, param);
  const { where, order } = page.walk(param);
  const conditions = [...indexed.map(({ column, value }) => `${column} = ${value}`), ...others, where];
  const kept = indexed.length <= 1 && others.length === 0;
  const along = kept ? indexed[0] : undefined;
  const text = visibleRows({
    from: 'runs',
    columns: RUN_SUMMARY_COLUMNS,
    where: conditions.join(' and '),
    order,
    ...(along ? { own: page.walk(param, along) } : {}),
    ...(along ? ofProfiles(along, () => page.walk(param, along)) : {}),
    limit: param(page.take),
  });
  return { statement: { text, params }, reading: kept ? 'list' : 'fresh_list', page };
}

/**
 * Runs that others made with one's profiles have an index by team, and by profile: those of other profiles are not
 * read.
 */
function ofProfiles({ column, value }: IndexColumn, walk: () => PageClauses): { ofProfiles?: PageClauses } {
  if (column === 'team_id') return { ofProfiles: walk() };
  if (column !== 'profile_id') return {};
  const { where, order } = walk();
  const mine = `(select true from agent_profiles where id = ${value} and owner_id = $1)`;
  return { ofProfiles: { where: `${mine} and ${where}`, order } };
}

/** Each has an index for one's own runs. */
function indexedFilters({ status, playbook, profile, team }: RunFilter, param: Param): IndexColumn[] {
  const filters: IndexColumn[] = [];
  if (profile !== undefined) filters.push({ column: 'profile_id', value: `${param(profile)}::uuid` });
  if (team !== undefined) filters.push({ column: 'team_id', value: `${param(team)}::uuid` });
  if (status?.length === 1) filters.push({ column: 'status', value: `${param(status[0])}::text` });
  if (playbook !== undefined && isUuid(playbook)) {
    filters.push({ column: 'playbook_id', value: `${param(playbook)}::uuid` });
  } else if (playbook !== undefined) filters.push({ column: 'playbook_slug', value: `${param(playbook)}::text` });
  return filters;
}

function otherFilters(filter: RunFilter, param: Param): string[] {
  const { status, created_after: after, created_before: before } = filter;
  return [
    ...(status === undefined || status.length === 1 ? [] : [`status = any(${param(status)})`]),
    ...(after === undefined ? [] : [`created_at >= ${param(after)}`]),
    ...(before === undefined ? [] : [`created_at < ${param(before)}`]),
  ];
}
