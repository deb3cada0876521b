import { Inject, Injectable } from '@nestjs/common';
import type { OutgoingHttpHeaders } from 'node:http';
import { EventFeed } from '../../infra/db/event-feed';
import type { EventBatch, EventFollower } from '../../infra/db/event-follower';
import type { EventPlace, PlacedEvent } from '../../infra/db/stores/owner-events.store';
import type { CallerInfo } from '../http/caller';
import { Heartbeats } from '../runs/events/heartbeats';
import type { SseEvent, SseWriter } from '../runs/events/sse-writer';
import { cursorOf, readCursor, type ResetReason } from './event-cursor';
import { placedEventData } from './event-data';
import { OpenStreams } from './open-streams';
import { sendEvents } from './send-events';
import { RESET, type ResetEvent } from './stream-events.dto';
import { STREAM_RIGHTS, type StreamRights } from './stream-rights';

export interface EventFilter {
  types?: readonly string[];
  runId?: string;
}

/** Events that a person may see, from a cursor on. */
export interface AllEvents {
  follower: EventFollower;
  filter: EventFilter;
  /** The cursor is unknown: the client is told before anything else. */
  reset: ResetEvent | undefined;
  cursor(place: EventPlace): string;
}

const WHY: Record<ResetReason, string> = {
  cursor_unknown: 'The cursor is not one of this installation. Load your lists anew; what happens from now on follows.',
  cursor_too_old: 'The cursor is more than seven days old. Load your lists anew; what happens from now on follows.',
};

@Injectable()
export class AllEventsService {
  private readonly heartbeats = new Heartbeats();

  constructor(
    private readonly feed: EventFeed,
    private readonly streams: OpenStreams,
    @Inject(STREAM_RIGHTS) private readonly rights: StreamRights,
  ) {}

  /** Opens from now on without a cursor, or with an unknown one. Throws `too_many_streams`. */
  async open(caller: CallerInfo, cursor: string | undefined, filter: EventFilter): Promise<AllEvents> {
    this.streams.admit(this.feed.size);
    const standing = await this.feed.horizon();
    const read = cursor === undefined ? { place: standing.at } : readCursor(cursor, standing, Date.now());
    const at = 'place' in read ? read.place : standing.at;
    return {
      follower: this.feed.open(caller.ownerId, at),
      filter,
      reset: 'reset' in read ? { type: RESET, code: read.reset, message: WHY[read.reset] } : undefined,
      cursor: (place) => cursorOf(standing.stamp, place, Date.now()),
    };
  }

  /** Sends what comes until one side leaves, and closes both. */
  async send(caller: CallerInfo, events: AllEvents, writer: SseWriter, headers: OutgoingHttpHeaders): Promise<void> {
    const { follower } = events;
    const from = events.cursor(follower.position.at);
    // A follower that waits has sent everything that it was given.
    const standing = (): string | undefined => (follower.waits ? events.cursor(follower.position.at) : undefined);
    let first: SseEvent[] | undefined = events.reset && [{ id: from, type: RESET, data: events.reset }];
    const source = {
      next: async () => {
        const given = first;
        first = undefined;
        if (given !== undefined) {
          return given;
        }
        const batch = await follower.next();
        return batch && sseEvents(events, batch);
      },
      close: () => follower.close(),
    };
    const mayStillRead = (): Promise<boolean> => this.rights.mayStillRead(caller, null);
    const watch = (ended: () => void): (() => void) => this.rights.watch(caller, ended);
    const stream = { source, writer, headers, mayStillRead, watch, from, standing };
    await sendEvents(stream, this.streams, this.heartbeats);
  }
}

export function matchesFilter({ filter }: AllEvents, row: PlacedEvent): boolean {
  return (
    (filter.types === undefined || filter.types.includes(row.type)) &&
    (filter.runId === undefined || filter.runId === row.run_id)
  );
}

function sseEvents(events: AllEvents, { rows }: EventBatch): SseEvent[] {
  return rows
    .filter((row) => matchesFilter(events, row))
    .map((row) => ({
      id: events.cursor({ xid: row.xid, runId: row.run_id, seq: row.seq }),
      type: row.type,
      data: placedEventData(row),
    }));
}
