import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import { isDate } from '../../core/base/calendar';
import type { JournalRow, JournalStore } from '../../infra/db/stores/journal.store';
import { dayBounds } from './day-bounds';
import { countOption, invalid, textOption } from './option-reader';
import type { Action, ActionTable } from './types';

interface JournalDeps {
  journal: JournalStore;
}

export function createJournalActions(deps: JournalDeps): ActionTable {
  return { write_journal_entry: writeEntry(deps), query_journal: queryJournal(deps) };
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

/** Newest entries first. Dates are days of the run's time zone, both included. */
function queryJournal(deps: JournalDeps): Action {
  return async (call, context) => {
    const filters = { ...call.params, ...call.inputs };
    const bounds = dayBounds(dateOption(filters, 'date_from'), dateOption(filters, 'date_to'), context.clock.time_zone);
    const page = await deps.journal.query(context.ownerId, {
      text: textOption(filters, 'query'),
      entity: textOption(filters, 'entity_name'),
      taskStatus: textOption(filters, 'status'),
      from: bounds.from,
      before: bounds.before,
      limit: countOption(call.params, 'limit', { fallback: 20, most: 200 }),
    });
    const dates = page.items.map((entry) => entry.created_at);
    return {
      output: {
        entries: page.items.map(entryOf),
        count: page.items.length,
        date_range: { from: dates.at(-1) ?? null, to: dates[0] ?? null },
      },
    };
  };
}

/** `YYYY-MM-DD`, or an instant of which the day counts. */
function dateOption(options: JsonObject, name: string): string | undefined {
  const day = textOption(options, name)?.slice(0, 10);
  if (day !== undefined && !isDate(day)) {
    throw invalid(name, 'a date such as 2026-02-14');
  }
  return day;
}

function entryOf(entry: JournalRow): JsonObject {
  const {
    id,
    summary,
    created_at,
    run_id,
    playbook_name,
    run_context,
    task_status,
    steps_completed,
    entities_discovered,
  } = entry;
  return {
    id,
    summary,
    created_at,
    runId: run_id,
    playbook_name,
    run_context,
    task_status,
    steps_completed,
    entities_discovered,
    outputs_produced: entry.outputs_produced,
    entities_mentioned: entry.entities_mentioned,
    detail_entries: entry.detail_entries.filter(isJsonObject),
  };
}
