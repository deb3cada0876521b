import type { PoolClient } from 'pg';
import { AppError } from '../../core/errors/app-error';
import type { WatchedPool } from './pool';

const LOOK_MS = 100;

/**
 * A connection of the pool. Where all of them are held, and for `busyAfterMs` none was given back, the wait is given up with
 * `database_unavailable`: who asks learns of it in time. A pool that only has much to do goes on giving out connections.
 */
export async function freeConnection(pool: WatchedPool, busyAfterMs: number | undefined): Promise<PoolClient> {
  const waiting = pool.connect();
  if (busyAfterMs === undefined) return waiting;
  let timer: NodeJS.Timeout | undefined;
  const busy = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (pool.isBusySince(busyAfterMs)) reject(databaseBusy());
    }, LOOK_MS);
  });
  try {
    return await Promise.race([waiting, busy]);
  } catch (error) {
    // What comes after all is of no use any more.
    void waiting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function databaseBusy(): AppError {
  return new AppError('database_unavailable', 'No connection to the database is free. Try again in a moment.', {
    category: 'unavailable',
    retryable: true,
  });
}
