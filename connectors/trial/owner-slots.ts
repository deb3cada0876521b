import { AppError } from '../../core/errors/app-error';

const MOST_AT_ONCE = 4;

/** Limits the tests of one owner at a time, in one process: a test holds a request of the API while it waits. */
export class OwnerSlots {
  private readonly busy = new Map<string, number>();

  async with<Result>(ownerId: string, work: () => Promise<Result>): Promise<Result> {
    const count = this.busy.get(ownerId) ?? 0;
    if (count >= MOST_AT_ONCE) {
      throw new AppError('too_many_tests', `${MOST_AT_ONCE} tests of yours are under way; wait for one to end.`, {
        category: 'rate_limited',
        retryable: true,
        details: { retry_after: 2 },
      });
    }
    this.busy.set(ownerId, count + 1);
    try {
      return await work();
    } finally {
      const left = (this.busy.get(ownerId) ?? 1) - 1;
      if (left === 0) this.busy.delete(ownerId);
      else this.busy.set(ownerId, left);
    }
  }
}
