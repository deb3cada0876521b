import type { PoolClient } from 'pg';
import { AppError } from '../../core/errors/app-error';

const LOOK_MS = 100;

/** The part of a pool of connections that is used here. */
export interface ConnectionPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
  connect(): Promise<PoolClient>;
  on(event: 'acquire' | 'release', listener: () => void): unknown;
}

/**
 * Gives out the connections of a pool. Where all are held, and none was given out or back for `busyAfterMs`, a waiting caller gets
 * `database_unavailable` at once. A pool that is only busy goes on giving out connections.
 */
export class FreeConnections {
  private readonly waiting = new Set<(error: AppError) => void>();
  private timer: NodeJS.Timeout | undefined;
  /** Consecutive checks without movement. A process that got no CPU counts one check, however long that took. */
  private stillLooks = 0;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly busyAfterMs: number | undefined,
  ) {
    const moved = (): void => {
      this.stillLooks = 0;
    };
    pool.on('acquire', moved);
    pool.on('release', moved);
  }

  async take(): Promise<PoolClient> {
    const isFree = this.pool.idleCount > this.pool.waitingCount;
    const coming = this.pool.connect();
    if (isFree || this.busyAfterMs === undefined) return coming;
    let giveUp: (error: AppError) => void = () => undefined;
    const busy = new Promise<never>((_resolve, reject) => {
      giveUp = reject;
    });
    this.watch(giveUp, this.busyAfterMs);
    try {
      return await Promise.race([coming, busy]);
    } catch (error) {
      // A late connection is not needed any more.
      void coming.then(
        (client) => client.release(),
        () => undefined,
      );
      throw error;
    } finally {
      this.unwatch(giveUp);
    }
  }

  /** One timer for all that wait, as long as anybody does. */
  private watch(giveUp: (error: AppError) => void, busyAfterMs: number): void {
    this.waiting.add(giveUp);
    if (this.timer !== undefined) return;
    this.stillLooks = 0;
    this.timer = setInterval(() => this.look(busyAfterMs), LOOK_MS);
  }

  private look(busyAfterMs: number): void {
    const { pool } = this;
    this.stillLooks = pool.totalCount < pool.options.max || pool.idleCount > 0 ? 0 : this.stillLooks + 1;
    if (this.stillLooks * LOOK_MS >= busyAfterMs) for (const giveUp of this.waiting) giveUp(databaseBusy());
  }

  private unwatch(giveUp: (error: AppError) => void): void {
    this.waiting.delete(giveUp);
    if (this.waiting.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

function databaseBusy(): AppError {
  return new AppError('database_unavailable', 'No connection to the database is free. Try again in a moment.', {
    category: 'unavailable',
    retryable: true,
  });
}
