import { ownField, type Json, type JsonObject } from '../../core/base/json';
import { invalid, textOption } from '../../core/actions/option-reader';
import type { JournalStore } from '../../infra/db/stores/journal.store';
import { queryJournal } from '../../infra/journal/query-journal';
import type { Action, ActionTable } from './types';

interface JournalDeps {
  journal: JournalStore;
}

export function createJournalActions(deps: JournalDeps): ActionTable {
  return {
    write_journal_entry: writeEntry(deps),
    query_journal: async (call, { ownerId, clock }) => ({
      output: await queryJournal(deps.journal, call, { ownerId, timeZone: clock.time_zone }),
    }),
  };
}

/** A note of the run, written once for an effect key. The entry at the end of each run is not written here. */
function writeEntry(deps: JournalDeps): Action {
  return async (call, context) => {
    const summary = textOption(call.inputs, 'summary');
    if (summary === undefined) {
      throw invalid('summary', 'a text that says what was done');
    }
    const details = listInput(call.inputs, 'detail_entries');
    const entities = listInput(call.inputs, 'entities_mentioned').map((entity) =>
      typeof entity === 'string' ? entity : JSON.stringify(entity),
    );
    return {
      commit: async (sql) => {
        const note = await deps.journal.note(
          context.ownerId,
          {
            summary,
            run_id: context.runId,
            effect_key: context.effectKey,
            detail_entries: details,
            entities_mentioned: entities,
          },
          sql,
        );
        return { journal_entry_id: note.id, success: true };
      },
    };
  };
}

function listInput(inputs: JsonObject, name: string): Json[] {
  const value = ownField(inputs, name) ?? [];
  if (!Array.isArray(value)) {
    throw invalid(name, 'a list');
  }
  return value;
}
