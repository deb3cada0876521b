import { Inject, Injectable } from '@nestjs/common';
import type { OutgoingHttpHeaders } from 'node:http';
import { RunFeed } from '../../infra/db/run-feed';
import type { RunFollower } from '../../infra/db/run-follower';
import { runEventData } from '../events/event-data';
import { OpenStreams } from '../events/open-streams';
import { sendEvents } from '../events/send-events';
import { STREAM_RIGHTS, type StreamRights } from '../events/stream-rights';
import type { CallerInfo } from '../http/caller';
import { Heartbeats } from './events/heartbeats';
import type { SseWriter } from './events/sse-writer';

/** The event streams of single runs. */
@Injectable()
export class RunStreamService {
  private readonly heartbeats = new Heartbeats();

  constructor(
    private readonly feed: RunFeed,
    private readonly streams: OpenStreams,
    @Inject(STREAM_RIGHTS) private readonly rights: StreamRights,
  ) {}

  /**
   * Follows the events after `after`, for `send`. Null = the client has seen all that there will ever be. Throws
   * `run_not_found`, `too_many_streams`.
   */
  async open(caller: CallerInfo, runId: string, after: number): Promise<RunFollower | null> {
    this.streams.admit(this.feed.size);
    return this.feed.open({ runId, ownerId: caller.ownerId, after });
  }

  /** Sends everything until the run is complete or one side leaves, and closes both. */
  async send(
    caller: CallerInfo,
    follower: RunFollower,
    writer: SseWriter,
    headers: OutgoingHttpHeaders,
  ): Promise<void> {
    const source = {
      next: async () =>
        (await follower.next())?.map((row) => ({ id: row.seq, type: row.type, data: runEventData(row) })) ?? null,
      close: () => follower.close(),
    };
    const mayStillRead = (): Promise<boolean> => this.rights.mayStillRead(caller, follower.run.id);
    const watch = (ended: () => void): (() => void) => this.rights.watch(caller, ended);
    await sendEvents({ source, writer, headers, mayStillRead, watch }, this.streams, this.heartbeats);
  }
}
