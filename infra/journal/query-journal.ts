import { countOption, invalid, textOption } from '../../core/actions/option-reader';
import { isDate } from '../../core/base/calendar';
import { isJsonObject, type JsonObject } from '../../core/base/json';
import type { JournalRow, JournalStore } from '../db/stores/journal.store';
import { dayBounds } from './day-bounds';

/** Reader of the journal, and the time zone of their days. */
export interface JournalReader {
  ownerId: string;
  timeZone: string;
}

/**
 * Result of `query_journal`: newest entries first. Dates are days of the time zone, both included. Throws
 * `invalid_params`.
 */
export async function queryJournal(
  journal: Pick<JournalStore, 'query'>,
  { inputs, params }: { inputs: JsonObject; params: JsonObject },
  { ownerId, timeZone }: JournalReader,
): Promise<JsonObject> {
  const filters = { ...params, ...inputs };
  const bounds = dayBounds(dateOption(filters, 'date_from'), dateOption(filters, 'date_to'), timeZone);
  const page = await journal.query(ownerId, {
    text: textOption(filters, 'query'),
    entity: textOption(filters, 'entity_name'),
    taskStatus: textOption(filters, 'status'),
    from: bounds.from,
    before: bounds.before,
    limit: countOption(params, 'limit', { fallback: 20, most: 200 }),
  });
  const dates = page.items.map((entry) => entry.created_at);
  return {
    entries: page.items.map(entryOf),
    count: page.items.length,
    date_range: { from: dates.at(-1) ?? null, to: dates[0] ?? null },
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
