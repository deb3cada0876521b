import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { OutgoingHttpHeaders } from 'node:http';
import { AppError } from '../../core/errors/app-error';
import { RunFeed } from '../../infra/db/run-feed';
import type { RunFollower } from '../../infra/db/run-follower';
import type { EventRow } from '../../infra/db/stores/events.store';
import type { CallerInfo } from '../http/caller';
import { Heartbeats } from './events/heartbeats';
import type { SseEvent, SseWriter } from './events/sse-writer';

/** One process; more clients than this are a mistake or an attack. */
const MAX_STREAMS = 2_000;

/** The event streams of this process. At shutdown each ends between two events and its client resumes elsewhere. */
@Injectable()
export class RunStreamService implements BeforeApplicationShutdown {
  private readonly sending = new Map<AbortController, Promise<void>>();
  private readonly heartbeats = new Heartbeats();

  constructor(private readonly feed: RunFeed) {}

  /**
   * What comes after event `after`, for `send`. Null: the client has seen all that there will ever be. Throws
   * `run_not_found`, `too_many_streams`.
   */
  async open(caller: CallerInfo, runId: string, after: number): Promise<RunFollower | null> {
    if (Math.max(this.sending.size, this.feed.size) >= MAX_STREAMS) {
      throw new AppError('too_many_streams', 'Too many event streams are open here. Close some and try again.', {
        category: 'rate_limited',
        retryable: true,
      });
    }
    return this.feed.open({ runId, ownerId: caller.ownerId, after });
  }

  /** Sends everything until the run is complete or one side leaves, and closes both. */
  async send(follower: RunFollower, writer: SseWriter, headers: OutgoingHttpHeaders): Promise<void> {
    const stop = new AbortController();
    stop.signal.addEventListener('abort', () => follower.close(), { once: true });
    writer.onClose(() => stop.abort());
    try {
      writer.begin(headers);
      const done = this.pump(follower, writer, stop.signal);
      this.sending.set(stop, done);
      await done;
    } finally {
      this.sending.delete(stop);
      follower.close();
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    const streams = [...this.sending];
    streams.forEach(([stop]) => stop.abort());
    await Promise.allSettled(streams.map(([, done]) => done));
  }

  private async pump(follower: RunFollower, writer: SseWriter, stop: AbortSignal): Promise<void> {
    const quiet = this.heartbeats.add(() => writer.heartbeat());
    try {
      for (let batch = await follower.next(); batch !== null; batch = await follower.next()) {
        await writer.events(batch.map(sseEvent), stop);
      }
    } catch {
      // The database went away: the client comes back with its last id and misses nothing.
    } finally {
      quiet();
      writer.end();
    }
  }
}

function sseEvent({ seq, type, at, step_path: path, payload }: EventRow): SseEvent {
  return { id: seq, type, data: { at, ...(path === null ? {} : { step_path: path }), ...payload } };
}
