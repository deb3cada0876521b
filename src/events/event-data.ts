import type { EventRow } from '../../infra/db/stores/events.store';

/** What a stream of one run says of an event, beside its type and number. */
export function runEventData({ at, step_path: path, payload }: EventRow): object {
  return { at, ...(path === null ? {} : { step_path: path }), ...payload };
}

/** The same in a stream of many runs. */
export function placedEventData(row: EventRow): object {
  return { ...runEventData(row), runId: row.run_id, seq: row.seq };
}
