import type { EventRow } from '../../infra/db/stores/events.store';

/** Data of an event in the stream of one run, beside its number. */
export function runEventData({ type, at, step_path: path, payload }: EventRow): object {
  return { type, at, ...(path === null ? {} : { step_path: path }), ...payload };
}

/** The same in a stream of many runs. */
export function placedEventData(row: EventRow): object {
  return { ...runEventData(row), runId: row.run_id, seq: row.seq };
}
