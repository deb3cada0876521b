import { randomUUID } from 'node:crypto';
import type { Json } from '../../../core/base/json';
import { json } from '../clean-params';
import { owner, type Database, type Sql } from '../database';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';
import { BY_CREATION, openPage, type Page, type PageRequest } from './page';

export interface JournalRow {
  id: string;
  owner_id: string;
  run_id: string | null;
  playbook_id: string | null;
  playbook_name: string | null;
  kind: 'run' | 'note';
  summary: string;
  detail_entries: Json[];
  entities_mentioned: string[];
  run_context: string | null;
  task_status: string | null;
  steps_completed: number;
  entities_discovered: number;
  outputs_produced: Json[];
  effect_key: string | null;
  created_at: string;
}
export interface NewNote {
  summary: string;
  run_id?: string;
  playbook_id?: string;
  playbook_name?: string;
  run_context?: string;
  task_status?: string;
  detail_entries?: Json[];
  entities_mentioned?: string[];
  entities_discovered?: number;
  outputs_produced?: Json[];
  /** Written once under this key; a repeat gets the first entry. */
  effect_key?: string;
}
export interface JournalFilter extends PageRequest {
  sort?: keyof typeof BY_CREATION;
  kind?: 'run' | 'note';
  runId?: string;
  playbookId?: string;
  /** Words that the summary contains. */
  text?: string;
  /** An entity that the entry mentions, exactly. */
  entity?: string;
  /** Status of the run that the entry is about. */
  taskStatus?: string;
  /** RFC 3339. */
  from?: string;
  before?: string;
}

const COLUMNS = `id, owner_id, run_id, playbook_id, playbook_name, kind, summary, detail_entries, entities_mentioned,
  run_context, task_status, steps_completed, entities_discovered, outputs_produced, effect_key, created_at`;

/** Notes that steps write, and the entry that the end of each run writes by itself (`af_finish`). */
export class JournalStore {
  constructor(private readonly database: Database) {}

  async note(ownerId: string, note: NewNote, sql: Sql = this.database.as(owner(ownerId))): Promise<JournalRow> {
    const [created] = await sql.query<JournalRow>(
      `insert into journal_entries (id, owner_id, run_id, playbook_id, playbook_name, kind, summary, detail_entries,
         entities_mentioned, run_context, task_status, entities_discovered, outputs_produced, effect_key)
       values ($1, $2, $3, $4, $5, 'note', $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing returning ${COLUMNS}`,
      [
        randomUUID(),
        ownerId,
        note.run_id ?? null,
        note.playbook_id ?? null,
        note.playbook_name ?? null,
        note.summary,
        json(note.detail_entries ?? []),
        note.entities_mentioned ?? [],
        note.run_context ?? null,
        note.task_status ?? null,
        note.entities_discovered ?? 0,
        json(note.outputs_produced ?? []),
        note.effect_key ?? null,
      ],
    );
    if (created !== undefined) {
      return created;
    }
    const [existing] = await sql.query<JournalRow>(
      `select ${COLUMNS} from journal_entries where owner_id = $1 and effect_key = $2`,
      [ownerId, note.effect_key],
    );
    return existing as JournalRow;
  }

  async get(ownerId: string, entryId: string): Promise<JournalRow | null> {
    if (!isUuid(entryId)) {
      return null;
    }
    const [row] = await this.database.query<JournalRow>(
      owner(ownerId),
      `select ${COLUMNS} from journal_entries where id = $1 and owner_id = $2`,
      [entryId, ownerId],
    );
    return row ?? null;
  }

  /** Throws `journal_entry_not_found`. */
  async require(ownerId: string, entryId: string): Promise<JournalRow> {
    const row = await this.get(ownerId, entryId);
    if (row === null) {
      throw notFound('journal_entry', entryId);
    }
    return row;
  }

  /** Newest first. */
  async query(ownerId: string, filter: JournalFilter): Promise<Page<JournalRow>> {
    const page = openPage('journal', filter, BY_CREATION[filter.sort ?? '-created_at']);
    if ([filter.runId, filter.playbookId].some((id) => id !== undefined && !isUuid(id))) {
      return { items: [], next_cursor: null };
    }
    const rows = await this.database.query<JournalRow>(
      owner(ownerId),
      `select ${COLUMNS} from journal_entries
        where owner_id = $1 and ($2::text is null or kind = $2) and ($3::uuid is null or run_id = $3)
          and ($4::uuid is null or playbook_id = $4)
          and ($5::text is null or strpos(lower(summary), lower($5)) > 0)
          and ($6::text is null or $6 = any(entities_mentioned))
          and ($12::text is null or task_status = $12)
          and ($7::timestamptz is null or created_at >= $7) and ($8::timestamptz is null or created_at < $8)
          and ${page.after('$9', '$10')}
        order by ${page.order} limit $11`,
      [
        ownerId,
        filter.kind ?? null,
        filter.runId ?? null,
        filter.playbookId ?? null,
        filter.text ?? null,
        filter.entity ?? null,
        filter.from ?? null,
        filter.before ?? null,
        ...page.position,
        page.take,
        filter.taskStatus ?? null,
      ],
    );
    return page.of(rows);
  }
}
