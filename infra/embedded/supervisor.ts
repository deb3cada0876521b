import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../core/errors/app-error';
import { Backoff } from './backoff';
import { isAlive } from './process';

/** One part that is kept running. `start` may be called again after its process has died. */
export interface Part {
  title: string;
  start(): Promise<{ pid: number }>;
  stop(pid: number): Promise<void>;
}

export interface SupervisorOptions {
  /** False: a process that dies is not restarted. */
  restart: boolean;
  /** One line for people. */
  say: (line: string) => void;
  /** Called after each restart, so that the endpoints can be written anew. */
  changed: () => void;
}

interface Kept {
  part: Part;
  pid: number;
  backoff: Backoff;
  /** True for a part that was reported dead and is not restarted. */
  given: boolean;
  busy?: Promise<void>;
}

const LOOK_MS = 250;

/** Watches processes by their pids: children and those taken over from an earlier supervisor are treated alike. */
export class Supervisor {
  private readonly kept: Kept[] = [];
  private readonly options: SupervisorOptions;
  private readonly ending = new AbortController();
  private timer?: NodeJS.Timeout;

  constructor(options: SupervisorOptions) {
    this.options = options;
  }

  /** Starts a part and keeps it. The first start is not repeated: its failure is the caller's. */
  async add(part: Part): Promise<void> {
    const { pid } = await part.start();
    const kept: Kept = { part, pid, backoff: new Backoff(), given: false };
    kept.backoff.started(Date.now());
    this.kept.push(kept);
  }

  keeps(pid: number): boolean {
    return this.kept.some((each) => each.pid === pid);
  }

  watch(): void {
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** Stops every part, those started last first; parts of one `together` group stop at once. */
  async stop(together: readonly string[] = []): Promise<void> {
    this.ending.abort();
    clearInterval(this.timer);
    for (const each of this.kept) await each.busy;
    const isGrouped = (each: Kept) => together.includes(each.part.title);
    await Promise.all(this.kept.filter(isGrouped).map(stopOne));
    for (const each of this.kept.filter((other) => !isGrouped(other)).reverse()) await stopOne(each);
  }

  private look(): void {
    for (const each of this.kept) {
      if (each.busy || each.given || isAlive(each.pid)) continue;
      if (!this.options.restart) {
        each.given = true;
        this.options.say(`${each.part.title} ended and is not started again (AF_SUPERVISE=0).`);
        continue;
      }
      each.busy = this.bringBack(each).finally(() => (each.busy = undefined));
    }
  }

  private async bringBack(kept: Kept): Promise<void> {
    const wait = kept.backoff.next(Date.now());
    this.options.say(`${kept.part.title} ended; starting it again in ${wait / 1000} s.`);
    try {
      await sleep(wait, undefined, { signal: this.ending.signal });
      const { pid } = await kept.part.start();
      kept.pid = pid;
      kept.backoff.started(Date.now());
      this.options.changed();
      this.options.say(`${kept.part.title} runs again.`);
    } catch (error) {
      if (!this.ending.signal.aborted) this.options.say(`${kept.part.title} did not start: ${sentence(error)}`);
    }
  }
}

async function stopOne(kept: Kept): Promise<void> {
  await kept.part.stop(kept.pid);
}

function sentence(error: unknown): string {
  if (error instanceof AppError) return error.message.split('\n')[0] ?? '';
  return error instanceof Error ? error.message : String(error);
}
