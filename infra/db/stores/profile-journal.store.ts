import { owner, type Database, type Statement } from '../database';
import type { JournalRow } from './journal.store';
import { openPage, type ListPage, type Page, type PageRequest, type Param } from './page';
import { visibleRows } from './visible-rows';

export interface ProfileJournalFilter extends PageRequest {
  /** Status of the run that the entry is about. */
  status?: string;
  /** An entity that the entry mentions, exactly. */
  entity?: string;
  /** RFC 3339, inclusive and exclusive. */
  from?: string;
  before?: string;
}

export interface ProfileJournalRow extends JournalRow {
  team_id: string | null;
}

export interface StatusCount {
  task_status: string | null;
  entries: number;
  steps_completed: number;
  entities_discovered: number;
}

const COLUMNS = `id, owner_id, run_id, playbook_id, playbook_name, kind, summary, detail_entries, entities_mentioned,
  run_context, task_status, steps_completed, entities_discovered, outputs_produced, effect_key, created_at, team_id`;

/** Entries that one request reads in search of a status or an entity, which have no index; more may follow. */
const LOOKED = 5_000;

type Found = ProfileJournalRow & { is_end: boolean };

/** The journal of one profile as the caller sees it. The caller has seen the profile. */
export class ProfileJournalStore {
  constructor(private readonly database: Database) {}

  /** Newest first. With a status or an entity a page may hold fewer than `limit`: only its cursor says whether it is the last. */
  async list(callerId: string, profileId: string, filter: ProfileJournalFilter): Promise<Page<ProfileJournalRow>> {
    const { page, statement } = profileJournalQuery(callerId, profileId, filter);
    const rows = await this.read<Found>(callerId, statement);
    const plain = rows.map(({ is_end: end, ...row }) => ({ end, row }));
    return page.of(
      plain.filter(({ end }) => !end).map(({ row }) => row),
      plain.find(({ end }) => end)?.row,
    );
  }

  /** Numbers over the newest `most` entries since `from`. */
  async counts(callerId: string, profileId: string, from: string, most: number): Promise<StatusCount[]> {
    const page = openPage('profile-journal', {});
    const params: unknown[] = [callerId];
    const text = `select task_status, count(*) as entries, sum(steps_completed) as steps_completed,
          sum(entities_discovered) as entities_discovered
        from (${visible(page, paramOf(params), { profileId, from }, most)}) e group by task_status order by 1`;
    return this.read<StatusCount>(callerId, { text, params });
  }

  private async read<Row>(callerId: string, statement: Statement): Promise<Row[]> {
    const [rows] = await this.database.read<[Row]>(owner(callerId), [statement], 'fresh_list');
    return rows;
  }
}

/** The statement of a list; tests read its plan. A row that `is_end` is where a filter's looking ended. */
export function profileJournalQuery(
  callerId: string,
  profileId: string,
  filter: ProfileJournalFilter,
): { page: ListPage; statement: Statement } {
  const page = openPage('profile-journal', { ...filter, profileId } as PageRequest);
  const params: unknown[] = [callerId];
  const param = paramOf(params);
  const { status, entity } = filter;
  const filtered = status !== undefined || entity !== undefined;
  const seen = visible(page, param, { profileId, ...filter }, filtered ? LOOKED : page.take);
  const conditions = [
    ...(status === undefined ? [] : [`task_status = ${param(status)}`]),
    ...(entity === undefined ? [] : [`${param(entity)}::text = any(entities_mentioned)`]),
  ];
  const found = `(select ${COLUMNS}, false as is_end from seen where ${conditions.join(' and ') || 'true'}
      order by ${page.order} limit ${param(page.take)})`;
  const end = `(select ${COLUMNS}, true from seen order by ${page.order} offset ${LOOKED - 1} limit 1)`;
  const text = `with seen as materialized (${seen}) ${found}${filtered ? ` union all ${end}` : ''}`;
  return { page, statement: { text, params } };
}

function paramOf(params: unknown[]): Param {
  return (value) => `$${params.push(value)}`;
}

function visible(
  page: ListPage,
  param: Param,
  { profileId, from, before }: Pick<ProfileJournalFilter, 'from' | 'before'> & { profileId: string },
  limit: number,
): string {
  const conditions = [
    `profile_id = ${param(profileId)}::uuid`,
    ...(from === undefined ? [] : [`created_at >= ${param(from)}::timestamptz`]),
    ...(before === undefined ? [] : [`created_at < ${param(before)}::timestamptz`]),
    page.walk(param).where,
  ];
  return visibleRows({
    from: 'journal_entries',
    columns: COLUMNS,
    where: conditions.join(' and '),
    order: page.order,
    limit: param(limit),
  });
}
