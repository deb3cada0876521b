import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { OpenWork } from '../http/open-work';

/** One process; more clients than this are a mistake or an attack. */
const MAX_STREAMS = 2_000;

/** All streams of this process, whatever they carry. At shutdown each ends between two events and its client resumes elsewhere. */
@Injectable()
export class OpenStreams implements BeforeApplicationShutdown {
  private readonly work = new OpenWork();

  get size(): number {
    return this.work.size;
  }

  /** Throws `too_many_streams`. `opening`: number of those that are still being opened. */
  admit(opening = 0): void {
    if (Math.max(this.size, opening) >= MAX_STREAMS) {
      throw new AppError('too_many_streams', 'Too many event streams are open here. Close some and try again.', {
        category: 'rate_limited',
        retryable: true,
      });
    }
  }

  /** Counts a stream until `work` has ended; `stop` is aborted at shutdown. */
  run(stop: AbortController, work: () => Promise<void>): Promise<void> {
    return this.work.run(stop, work);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.work.end();
  }
}
