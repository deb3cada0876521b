import { isTerminal, type RunStatus } from '../../core/base/run-status';
import type { Database } from './database';
import type { EventRow, EventsStore } from './stores/events.store';

const PAGE = 500;
const WATCH_SECONDS = 120;
/** A feed looks at the log this often even when nothing was announced. */
const IDLE_MS = 5_000;
/** A feed reads at most this often while a run is busy, and at once when the run ends. */
const GATHER_MS = 200;
const REWATCH_MS = (WATCH_SECONDS * 1000) / 2;

export interface FollowOptions {
  runId: string;
  ownerId: string;
  /** Events after this seq. */
  afterSeq: number;
  /** Ends the feed. */
  signal: AbortSignal;
}

/** `now`: there is nothing to gather, or nothing more to come. */
type Wake = (now: boolean) => void;

/** Live event logs: one LISTEN connection of the process serves every reader. */
export class RunFeed {
  private readonly waiting = new Map<string, Set<Wake>>();
  private readonly stopListening: () => void;

  constructor(
    database: Database,
    private readonly events: EventsStore,
  ) {
    this.stopListening = database.listen(
      'af_run',
      (payload) => this.announced(payload),
      () => this.wakeAll(),
    );
  }

  /**
   * Batches of events in order, without gap or repeat, from any replica; ends after `complete` or when `signal` aborts.
   * Errors of the database pass through: the reader reconnects with the last seq that it saw.
   */
  async *follow(options: FollowOptions): AsyncGenerator<EventRow[], void, undefined> {
    let seq = options.afterSeq;
    let watchedAt = 0;
    let status: RunStatus = 'pending';
    while (!options.signal.aborted) {
      const woken = this.waiter(options.runId, options.signal);
      try {
        if (Date.now() - watchedAt > REWATCH_MS) {
          watchedAt = Date.now();
          const run = await this.events.watch(options.runId, options.ownerId, WATCH_SECONDS);
          if (run === null) {
            return;
          }
          status = run.status;
        }
        const batch = await this.events.listAfter(options.runId, options.ownerId, seq, PAGE);
        if (batch.length > 0) {
          seq = batch.at(-1)?.seq ?? seq;
          yield batch;
        }
        if (batch.at(-1)?.type === 'complete' || (batch.length === 0 && isTerminal(status))) {
          return;
        }
        if (batch.length < PAGE) {
          await woken.promise;
        }
      } finally {
        woken.drop();
      }
    }
  }

  close(): void {
    this.stopListening();
    this.wakeAll();
  }

  /** Registered before the log is read, so that nothing falls between reading and waiting. */
  private waiter(runId: string, signal: AbortSignal): { promise: Promise<void>; drop: () => void } {
    let resolve: () => void = () => undefined;
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    let gathering: NodeJS.Timeout | undefined;
    const since = Date.now();
    const wake: Wake = (now) => {
      const rest = since + GATHER_MS - Date.now();
      if (now || rest <= 0) {
        resolve();
      } else {
        gathering ??= setTimeout(resolve, rest);
      }
    };
    const wakeNow = (): void => wake(true);
    const set = this.waiting.get(runId) ?? new Set();
    this.waiting.set(runId, set.add(wake));
    const idle = setTimeout(wakeNow, IDLE_MS);
    signal.addEventListener('abort', wakeNow, { once: true });
    return {
      promise,
      drop: () => {
        clearTimeout(idle);
        clearTimeout(gathering);
        signal.removeEventListener('abort', wakeNow);
        set.delete(wake);
        if (set.size === 0 && this.waiting.get(runId) === set) {
          this.waiting.delete(runId);
        }
      },
    };
  }

  /** `<run id>`, or `<run id> end` behind the last event. */
  private announced(payload: string): void {
    const [runId = '', end] = payload.split(' ');
    this.wake(runId, end !== undefined);
  }

  private wake(runId: string, now: boolean): void {
    for (const wake of this.waiting.get(runId) ?? []) {
      wake(now);
    }
  }

  private wakeAll(): void {
    for (const runId of this.waiting.keys()) {
      this.wake(runId, true);
    }
  }
}
