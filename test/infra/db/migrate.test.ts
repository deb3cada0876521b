import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { MIGRATIONS } from '../../../migrations/all';
import { Database } from '../../../infra/db/database';
import { migrate, migrateDown } from '../../../infra/db/migrate';
import { openAdmin, type Admin } from '../../support/admin';
import { freshDatabase } from '../../support/postgres';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) {
    await close();
  }
});

async function empty(): Promise<string> {
  const { url, drop } = await freshDatabase();
  closers.push(drop);
  return url;
}
async function connect(url: string): Promise<Database> {
  const database = await Database.connect({ url, poolSize: 3 });
  closers.push(() => database.close());
  return database;
}
function admin(url: string): Admin {
  const made = openAdmin(url);
  closers.push(() => made.close());
  return made;
}
async function objects(database: Admin): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
     union all select p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1`,
  );
  return rows.map((row) => row.name).filter((name) => !name.startsWith('migrations') && !name.startsWith('typeorm'));
}

/** Ends the session that waits to write into `migrations`. Asked from another transaction: one sees one state only. */
async function killWaiting(database: Admin): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end;) {
    const killed = await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike 'insert into "migrations"%'`,
    );
    if (killed.length > 0) {
      return;
    }
    await sleep(50);
  }
}

describe('migrations', () => {
  it('run once, whoever comes', async () => {
    const url = await empty();
    const all = await Promise.all([connect(url), connect(url), connect(url)]);
    const applied = await Promise.all(all.map((database) => migrate(database)));
    expect(applied.map((names) => names.length).toSorted((a, b) => a - b)).toEqual([0, 0, MIGRATIONS.length]);
    expect(await migrate(all[0])).toEqual([]);
  });

  it('can be taken back to nothing, and come again', async () => {
    const url = await empty();
    const database = await connect(url);
    const look = admin(url);
    await migrate(database);
    const full = await objects(look);
    for (let i = 0; i < MIGRATIONS.length; i += 1) {
      await migrateDown(database);
    }
    expect(await objects(look)).toEqual([]);
    await migrate(database);
    expect(await objects(look)).toEqual(full);
  });

  it('killed half way leave nothing behind that hinders the next try', async () => {
    const url = await empty();
    const database = await connect(url);
    const other = new Client({ connectionString: url });
    await other.connect();
    closers.push(() => other.end());
    const look = admin(url);
    await migrate(database);
    for (let i = 0; i < MIGRATIONS.length; i += 1) {
      await migrateDown(database);
    }
    // The first migration has done its work and waits to be noted down when its session dies.
    await other.query('begin');
    await other.query('lock table migrations in exclusive mode');
    const failed = migrate(database).then(
      () => 'done',
      () => 'killed',
    );
    await killWaiting(look);
    await other.query('commit');
    expect(await failed).toBe('killed');
    expect(await objects(look)).toEqual([]);
    await migrate(await connect(url));
    expect(await objects(look)).toContain('runs');
    expect(await objects(look)).toContain('af_finish');
  });
});
