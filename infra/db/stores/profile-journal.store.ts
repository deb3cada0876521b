import { owner, type Database } from '../database';
import type { JournalRow } from './journal.store';
import { openPage, type ListPage, type Page, type PageRequest } from './page';
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

/** The journal of one profile as the caller sees it. The caller has seen the profile. */
export class ProfileJournalStore {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(callerId: string, profileId: string, filter: ProfileJournalFilter): Promise<Page<ProfileJournalRow>> {
    const page = openPage('profile-journal', { ...filter, profileId } as PageRequest);
    return page.of(
      await this.read<ProfileJournalRow>(callerId, visible(page), params(callerId, profileId, filter, page)),
    );
  }

  /** Numbers over the newest `most` entries since `from`. */
  async counts(callerId: string, profileId: string, from: string, most: number): Promise<StatusCount[]> {
    const page = { ...openPage('profile-journal', {}), take: most };
    const text = `select task_status, count(*) as entries, sum(steps_completed) as steps_completed,
          sum(entities_discovered) as entities_discovered
        from (${visible(page)}) e group by task_status order by 1`;
    return this.read<StatusCount>(callerId, text, params(callerId, profileId, { from }, page));
  }

  private async read<Row>(callerId: string, text: string, values: unknown[]): Promise<Row[]> {
    const [rows] = await this.database.read<[Row]>(owner(callerId), [{ text, params: values }], 'fresh_list');
    return rows;
  }
}

function visible(page: ListPage): string {
  return visibleRows({
    from: 'journal_entries',
    columns: COLUMNS,
    where: `profile_id = $2 and ($3::text is null or task_status = $3) and ($4::text is null or $4 = any(entities_mentioned))
      and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at < $6)
      and ${page.after('$7', '$8')}`,
    order: page.order,
    limit: '$9',
  });
}

function params(callerId: string, profileId: string, filter: ProfileJournalFilter, page: ListPage): unknown[] {
  return [
    callerId,
    profileId,
    filter.status ?? null,
    filter.entity ?? null,
    filter.from ?? null,
    filter.before ?? null,
    ...page.position,
    page.take,
  ];
}
