import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';

/** One process; more clients than this are a mistake or an attack. */
const MAX_STREAMS = 2_000;

/** All streams of this process, whatever they carry. At shutdown each ends between two events and its client resumes elsewhere. */
@Injectable()
export class OpenStreams implements BeforeApplicationShutdown {
  private readonly open = new Map<AbortController, Promise<void>>();

  get size(): number {
    return this.open.size;
  }

  /** Throws `too_many_streams`. `opening`: those that are not here yet. */
  admit(opening = 0): void {
    if (Math.max(this.open.size, opening) >= MAX_STREAMS) {
      throw new AppError('too_many_streams', 'Too many event streams are open here. Close some and try again.', {
        category: 'rate_limited',
        retryable: true,
      });
    }
  }

  /** Counts a stream until `work` has ended; `stop` is aborted at shutdown. */
  async run(stop: AbortController, work: () => Promise<void>): Promise<void> {
    const done = work();
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
}
