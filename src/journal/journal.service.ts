import { Injectable } from '@nestjs/common';
import { JournalStore, type JournalRow } from '../../infra/db/stores/journal.store';
import type { CallerInfo } from '../http/caller';
import { withoutNulls, pageBody } from '../shared/views';
import type { JournalEntryDto, JournalListDto, JournalListQuery } from './dto/journal.dto';

@Injectable()
export class JournalService {
  constructor(private readonly journal: JournalStore) {}

  async list(caller: CallerInfo, query: JournalListQuery): Promise<JournalListDto> {
    const { run, ...filter } = query;
    return pageBody(
      await this.journal.query(caller.ownerId, { ...filter, ...(run === undefined ? {} : { runId: run }) }),
      journalEntry,
    );
  }

  /** Throws `journal_entry_not_found`. */
  async get(caller: CallerInfo, entryId: string): Promise<JournalEntryDto> {
    return journalEntry(await this.journal.require(caller.ownerId, entryId));
  }
}

export function journalEntry(row: JournalRow): JournalEntryDto {
  return {
    id: row.id,
    kind: row.kind,
    summary: row.summary,
    detail_entries: row.detail_entries,
    entities_mentioned: row.entities_mentioned,
    steps_completed: row.steps_completed,
    entities_discovered: row.entities_discovered,
    outputs_produced: row.outputs_produced,
    created_at: row.created_at,
    ...withoutNulls({
      runId: row.run_id,
      playbook_name: row.playbook_name,
      run_context: row.run_context,
      task_status: row.task_status,
    }),
  };
}
