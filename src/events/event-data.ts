import type { EventRow } from '../../infra/db/stores/events.store';

/** What a stream of one run says of an event, beside its number. */
export function runEventData({ type, at, step_path: path, payload }: EventRow): object {
  return { type, at, ...(path === null ? {} : { step_path: path }), ...payload };
}

/** The same in a stream of many runs. */
export function placedEventData(row: EventRow): object {
  return { ...runEventData(row), runId: row.run_id, seq: row.seq };
}
