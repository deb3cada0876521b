import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { PoolClient } from 'pg';
import { Database, SYSTEM } from '../../../infra/db/database';
import { FreeConnections, type ConnectionPool } from '../../../infra/db/free-connection';
import { migratedDatabase } from '../../support/migrated-database';
import { loginUrl } from '../../support/postgres';

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const fresh = await migratedDatabase();
  drop = fresh.drop;
  database = await Database.connect({ url: loginUrl(fresh.url), poolSize: 1, busyAfterMs: 300 });
});
afterAll(async () => {
  await database.close();
  await drop();
});

/** Holds the only connection until the given function is called. */
async function held(): Promise<() => Promise<void>> {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begun = (): void => undefined;
  const holds = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const over = database.tx(SYSTEM, async () => {
    begun();
    await gate;
  });
  await holds;
  return async () => {
    letGo();
    await over;
  };
}

const ask = (): Promise<unknown[]> => database.hot('select 1 as one', []);
const UNAVAILABLE = { code: 'database_unavailable', category: 'unavailable' };

it('gives up waiting for a connection that nobody gives back, and goes on once it is free', async () => {
  const free = await held();
  await Promise.all([1, 2, 3].map(() => expect(ask()).rejects.toMatchObject(UNAVAILABLE)));
  await free();
  expect(await ask()).toEqual([{ one: 1 }]);
});

it('does not take a process that got no CPU for a pool that does not move', async () => {
  const free = await held();
  const asked = ask();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
  await Promise.all([free(), expect(asked).resolves.toEqual([{ one: 1 }])]);
});

/** Number of this process's timers. */
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

class CountedPool extends EventEmitter implements ConnectionPool {
  readonly options = { max: 2 };
  totalCount = 2;
  idleCount = 0;
  waitingCount = 0;
  private readonly asked: ((client: PoolClient) => void)[] = [];

  connect(): Promise<PoolClient> {
    this.waitingCount += 1;
    return new Promise((resolve) => this.asked.push(resolve));
  }

  give(): void {
    const client = { release: () => undefined } as unknown as PoolClient;
    for (const resolve of this.asked.splice(0)) resolve(client);
  }
}

it('has one timer for all that wait, and none where a connection is free or nobody waits', async () => {
  const pool = new CountedPool();
  const connections = new FreeConnections(pool, 60_000);
  const before = timers();
  const waiting = [connections.take(), connections.take(), connections.take()];
  expect(timers()).toBe(before + 1);
  pool.give();
  await Promise.all(waiting);
  expect(timers()).toBe(before);
  Object.assign(pool, { idleCount: 1, waitingCount: 0 });
  const given = connections.take();
  expect(timers()).toBe(before);
  pool.give();
  await given;
});
