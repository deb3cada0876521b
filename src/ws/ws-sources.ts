import type { RunFeed } from '../../infra/db/run-feed';
import type { EventRow } from '../../infra/db/stores/events.store';
import { matchesFilter, type AllEventsService } from '../events/all-events.service';
import { placedEventData, runEventData } from '../events/event-data';
import type { OpenStreams } from '../events/open-streams';
import type { CallerInfo } from '../http/caller';
import type { Subscribe } from './ws-messages';

/** Source of the messages of one subscription. */
export interface WsSource {
  /** The run; null: everything that the caller may see. */
  runId: string | null;
  /** Fields of the answer to the subscription. */
  begin: object;
  /** Null at the end. */
  next(): Promise<Iterable<object> | null>;
  close(): void;
}

export type OpenSource = (caller: CallerInfo, message: Subscribe) => Promise<WsSource>;

/** The same sources as those of the streams over HTTP. Throws `run_not_found`, `too_many_streams`. */
export function sourceOpener(deps: { runs: RunFeed; all: AllEventsService; streams: OpenStreams }): OpenSource {
  return (caller, message) =>
    message.run_id === 'all' ? openAll(deps, caller, message) : openRun(deps, caller, message);
}

async function openRun(
  { runs, streams }: { runs: RunFeed; streams: OpenStreams },
  caller: CallerInfo,
  { run_id: runId, after, types }: Subscribe,
): Promise<WsSource> {
  streams.admit(runs.size);
  const follower = await runs.open({ runId, ownerId: caller.ownerId, after: Number(after ?? 0) });
  const message = (row: EventRow): object => ({ event: row.type, seq: row.seq, data: runEventData(row) });
  return {
    runId,
    begin: {},
    next: async () => {
      const rows = (await follower?.next()) ?? null;
      return rows && rows.filter((row) => types === undefined || types.includes(row.type)).map(message);
    },
    close: () => follower?.close(),
  };
}

async function openAll(
  { all }: { all: AllEventsService },
  caller: CallerInfo,
  { after, types }: Subscribe,
): Promise<WsSource> {
  const cursor = after === undefined ? undefined : String(after);
  const events = await all.open(caller, cursor, types === undefined ? {} : { types });
  return {
    runId: null,
    begin: { cursor: events.cursor(events.follower.position.at), ...(events.reset && { reset: events.reset }) },
    next: async () => {
      const batch = await events.follower.next();
      return (
        batch &&
        batch.rows
          .filter((row) => matchesFilter(events, row))
          .map((row) => ({
            event: row.type,
            cursor: events.cursor({ xid: row.xid, runId: row.run_id, seq: row.seq }),
            data: placedEventData(row),
          }))
      );
    },
    close: () => events.follower.close(),
  };
}
