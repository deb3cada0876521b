import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../core/errors/app-error';
import { Database, SYSTEM } from '../../../infra/db/database';
import { isDatabaseOutage, toDatabaseError } from '../../../infra/db/outage';
import { migrateAs, openAdmin } from '../../support/admin';
import { loginUrl, startPostgres, type TestPostgres } from '../../support/postgres';
import { waitUntil } from '../../support/wait-until';

let server: TestPostgres;
let database: Database;

beforeAll(async () => {
  server = await startPostgres();
  await migrateAs(server.url);
  database = await Database.connect({ url: loginUrl(server.url), poolSize: 4 });
});
afterAll(async () => {
  await database.close();
  await server.stop('immediate').catch(() => undefined);
});

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
}
const eventually = async (work: () => Promise<unknown>) => {
  const end = Date.now() + 10_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseOutage(error) || Date.now() > end) {
        throw error;
      }
      await sleep(50);
    }
  }
};

describe('a server that dies', () => {
  it('under a statement, in a transaction and under idle connections is an outage, and the process lives', async () => {
    await Promise.all([1, 2, 3, 4].map(() => database.ready()));
    const busy = failureOf(database.query(SYSTEM, 'select pg_sleep(20)'));
    const open = failureOf(
      database.tx(SYSTEM, async (sql) => {
        await sql.query('select 1');
        await sleep(1_000);
        await sql.query('select 1');
      }),
    );
    await sleep(200);
    await server.kill();
    const errors = [
      await busy,
      await open,
      await failureOf(database.ready()),
      await failureOf(database.hot('select 1', [])),
    ];
    expect(errors.map(isDatabaseOutage)).toEqual([true, true, true, true]);
    for (const error of errors) {
      expect(toDatabaseError(error)).toMatchObject({
        code: 'database_unavailable',
        category: 'unavailable',
        retryable: true,
      });
    }
    await server.start();
    await eventually(() => database.ready());
    expect(await database.hot('select 1 as one', [])).toEqual([{ one: 1 }]);
  });

  it('says that it is away, and does not wait for its return (F05b)', async () => {
    await server.stop('immediate');
    expect(isDatabaseOutage(await failureOf(database.ready()))).toBe(true);
    await server.start();
    await eventually(() => database.ready());
  });

  it('a new process waits for it, and gives up in time', async () => {
    await server.stop('immediate');
    expect(isDatabaseOutage(await failureOf(Database.connect({ url: server.url, poolSize: 1 }, 500)))).toBe(true);
    const connecting = Database.connect({ url: server.url, poolSize: 1 });
    await sleep(600);
    await server.start();
    await (await connecting).close();
  });

  it('loses no listener: it is told that it may have missed something', async () => {
    await eventually(() => database.ready());
    const heard: string[] = [];
    const stop = database.listen(
      'af_test',
      (payload) => heard.push(payload),
      () => heard.push('(joined)'),
    );
    const until = (count: number) => waitUntil(`${count} messages`, () => heard.length >= count);
    await until(1);
    await database.query(SYSTEM, `select pg_notify('af_test', 'one')`);
    await until(2);
    await server.restart('immediate');
    await until(3);
    await eventually(() => database.query(SYSTEM, `select pg_notify('af_test', 'two')`));
    await until(4);
    expect(heard).toEqual(['(joined)', 'one', '(joined)', 'two']);
    stop();
    await database.query(SYSTEM, `select pg_notify('af_test', 'three')`);
    await sleep(100);
    expect(heard).toHaveLength(4);
  });
});

describe('what is no outage', () => {
  it.each(['select nothing', 'select 1/0', 'select cast($1 as uuid)'])('%s', async (text) => {
    const error = await failureOf(database.query(SYSTEM, text, text.includes('$1') ? ['x'] : []));
    expect(error).toBeDefined();
    expect(isDatabaseOutage(error)).toBe(false);
    expect(toDatabaseError(error)).toBe(error);
  });

  it('a refused connection of somebody else', () => {
    expect(isDatabaseOutage(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).toBe(false);
    expect(isDatabaseOutage(new AppError('upstream_error', 'x', { category: 'upstream' }))).toBe(false);
    expect(isDatabaseOutage(new AppError('storage_full', 'x', { category: 'unavailable' }))).toBe(true);
  });
});

describe('transactions', () => {
  it('commit, roll back, and run again after a deadlock', async () => {
    const admin = openAdmin(server.url);
    await admin.query('create table pairs (id integer primary key, n integer not null)');
    await admin.query('insert into pairs values (1, 0), (2, 0)');
    await admin.query('grant select, update on pairs to af_system');
    await admin.close();
    const runs = [0, 0];
    const holding = new Set<number>();
    const swap = (index: number, first: number, second: number) =>
      database.tx(SYSTEM, async (sql) => {
        runs[index] = (runs[index] ?? 0) + 1;
        await sql.query('update pairs set n = n + 1 where id = $1', [first]);
        holding.add(index);
        await waitUntil('both holding a row', () => holding.size === 2);
        await sql.query('update pairs set n = n + 1 where id = $1', [second]);
      });
    await Promise.all([swap(0, 1, 2), swap(1, 2, 1)]);
    expect((runs[0] ?? 0) + (runs[1] ?? 0)).toBe(3);
    await expect(
      database.tx(SYSTEM, async (sql) => {
        await sql.query('update pairs set n = 100');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await database.query(SYSTEM, 'select n from pairs order by id')).toEqual([{ n: 2 }, { n: 2 }]);
  });

  it('a forgotten transaction is ended by the server, and the pool stays usable', async () => {
    const admin = openAdmin(server.url);
    const error = await failureOf(
      database.tx(SYSTEM, async (sql) => {
        const [mine] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
        await waitUntil('the end of the session', async () => {
          const there = await admin.query('select 1 from pg_stat_activity where pid = $1', [mine?.pid]);
          return there.length === 0;
        });
        await sql.query('select 1');
      }),
    );
    await admin.close();
    expect(isDatabaseOutage(error)).toBe(true);
    await Promise.all(Array.from({ length: 8 }, () => database.ready()));
  });

  it('text cannot hold U+0000: it becomes U+FFFD', async () => {
    expect(
      await database.query(SYSTEM, 'select $1::text as a, $2::text[] as b', ['x\u0000\ud800y', ['\u0000']]),
    ).toEqual([{ a: 'x\ufffd\ufffdy', b: ['\ufffd'] }]);
  });

  it('numbers and times come as numbers and RFC 3339 text', async () => {
    const [row] = await database.query(
      SYSTEM,
      `select 5::bigint as a, 1.5::numeric as b, '2026-11-28 01:02:03.000004+02'::timestamptz as c`,
    );
    expect(row).toEqual({ a: 5, b: 1.5, c: '2026-11-27T23:02:03.000004Z' });
  });
});
