import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { isTerminal } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import { RunFeed } from '../../infra/db/run-feed';
import type { EventRow } from '../../infra/db/stores/events.store';
import { notFound } from '../../infra/db/stores/not-found';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { CallerInfo } from '../http/caller';
import type { SseWriter } from './events/sse-writer';

const HEARTBEAT_MS = 15_000;
/** One process; more clients than this are a mistake or an attack. */
const MAX_STREAMS = 2_000;

/** The event streams of this process. At shutdown each ends between two events and its client resumes elsewhere. */
@Injectable()
export class RunStreamService implements BeforeApplicationShutdown {
  private readonly open = new Map<AbortController, Promise<void>>();

  constructor(
    private readonly runs: RunsStore,
    private readonly feed: RunFeed,
  ) {}

  /** False: the client has seen all that there will ever be. Throws `run_not_found`, `too_many_streams`. */
  async hasMore(caller: CallerInfo, runId: string, after: number): Promise<boolean> {
    if (this.open.size >= MAX_STREAMS) {
      throw new AppError('too_many_streams', 'Too many event streams are open here. Close some and try again.', {
        category: 'rate_limited',
        retryable: true,
      });
    }
    const run = await this.runs.standing(caller.ownerId, runId);
    if (run === null) {
      throw notFound('run', runId);
    }
    return !(isTerminal(run.status) && after >= run.seq);
  }

  /** Sends everything after `after` and what comes, until the run is complete or one side leaves. */
  async stream(caller: CallerInfo, request: { runId: string; after: number }, writer: SseWriter): Promise<void> {
    const stop = new AbortController();
    const done = this.pump(caller, request, { writer, stop });
    this.open.set(stop, done);
    try {
      await done;
    } finally {
      this.open.delete(stop);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    const streams = [...this.open];
    streams.forEach(([stop]) => stop.abort());
    await Promise.allSettled(streams.map(([, done]) => done));
  }

  private async pump(
    caller: CallerInfo,
    request: { runId: string; after: number },
    { writer, stop }: { writer: SseWriter; stop: AbortController },
  ): Promise<void> {
    writer.onClose(() => stop.abort());
    const heartbeat = setInterval(() => writer.heartbeat(), HEARTBEAT_MS);
    try {
      const { runId, after } = request;
      for await (const batch of this.feed.follow({
        runId,
        ownerId: caller.ownerId,
        afterSeq: after,
        signal: stop.signal,
      })) {
        for (const event of batch) {
          if (stop.signal.aborted) {
            return;
          }
          await writer.event(event.seq, event.type, dataOf(event), stop.signal);
        }
      }
    } catch {
      // The database went away: the client comes back with its last id and misses nothing.
    } finally {
      clearInterval(heartbeat);
      writer.end();
    }
  }
}

function dataOf(event: EventRow): object {
  return { at: event.at, ...(event.step_path === null ? {} : { step_path: event.step_path }), ...event.payload };
}
