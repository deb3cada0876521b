import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { isTerminal } from '../../core/base/run-status';
import { RunEnds } from '../../infra/db/run-ends';
import { EventsStore } from '../../infra/db/stores/events.store';
import { STREAM_RIGHTS, type StreamRights } from '../events/stream-rights';
import type { CallerInfo } from '../http/caller';
import { OpenWork } from '../http/open-work';
import type { RunDto, RunStartedDto } from './dto/run-view.dto';
import { RunReadService } from './run-read.service';
import type { StartedRun } from './run-start.service';

/** Longest wait, in seconds. */
export const MOST_WAIT = 60;
/** Seconds after a run's start for which its end is announced: longer than anybody waits. */
export const WATCH_SECONDS = 2 * MOST_WAIT;
/** One process; more requests than this do not wait. */
const MOST_WAITING = 2_000;
const AGAIN_MS = 50;
/** Reason of aborts: without one each makes an error with its stack. */
const OVER = 'the wait is over';

export interface RunWait {
  seconds: number;
  /** Aborted when the client has left. */
  gone: AbortSignal;
}

/** Answers a start with the run's end, when that comes in time: one request instead of a start, a stream and a reading. */
@Injectable()
export class RunWaitService implements BeforeApplicationShutdown {
  private readonly waits = new OpenWork();

  constructor(
    private readonly ends: RunEnds,
    private readonly events: EventsStore,
    private readonly reads: RunReadService,
    @Inject(STREAM_RIGHTS) private readonly rights: StreamRights,
  ) {}

  /** Requests that wait. */
  get size(): number {
    return this.waits.size;
  }

  /** The answer with the run as it ended, or as it is when the run goes on. */
  async answer(caller: CallerInfo, started: StartedRun, { seconds, gone }: RunWait): Promise<RunStartedDto> {
    const { answer } = started;
    if (seconds === 0 || this.size >= MOST_WAITING) return answer;
    const stop = new AbortController();
    const end = (): void => stop.abort(OVER);
    const timer = setTimeout(end, seconds * 1_000);
    gone.addEventListener('abort', end, { once: true });
    const unwatch = this.rights.watch(caller, end);
    try {
      const run = await this.waits.run(stop, () => this.ended(caller, started, stop.signal));
      if (run === undefined) return answer;
      return { ...answer, status: run.status, ...(isTerminal(run.status) ? { run } : {}) };
    } finally {
      unwatch();
      gone.removeEventListener('abort', end);
      clearTimeout(timer);
      end();
    }
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.waits.end();
  }

  private async closedBefore(runId: string, stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      const [watch] = await this.events.renew([runId], WATCH_SECONDS);
      if (watch === undefined || watch.closed || watch.renewed) return watch?.closed === true;
      // The run's row was locked for a write, so it is asked again.
      await sleep(AGAIN_MS);
    }
    return false;
  }

  private async ended(
    caller: CallerInfo,
    { answer: { runId }, created, inputs }: StartedRun,
    stop: AbortSignal,
  ): Promise<RunDto | undefined> {
    let ended = this.ends.next(runId, stop);
    // A run of an earlier request may have ended before, and may not be watched any more.
    let closed = !created && (await this.closedBefore(runId, stop));
    for (;;) {
      if (!closed) await ended;
      closed = false;
      if (!(await this.rights.mayStillRead(caller, null))) return undefined;
      // Registered before the run is read, so that nothing falls between reading and waiting.
      ended = this.ends.next(runId, stop);
      const run = await this.reads.get(caller, runId, inputs);
      if (isTerminal(run.status) || stop.aborted) return run;
    }
  }
}
