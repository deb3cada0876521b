import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { applySchema, dropSchema } from '../../../infra/db/apply-schema';
import { Database } from '../../../infra/db/database';
import { migrate } from '../../../infra/db/migrate';
import { REPEATABLE } from '../../../infra/db/schema-files';
import { readSchemaSource } from '../../../infra/db/schema-source';
import { MIGRATIONS } from '../../../migrations/all';
import { openAdmin } from '../../support/admin';
import { describeWhere } from '../../support/machine';
import { postgresClient } from '../../support/postgres-client';
import { freshDatabase } from '../../support/postgres';
import { newFolder } from '../../support/run-folder';
import { describeOf } from './describe-schema';
import { oldChain } from './old-chain';

const FOLDER = path.resolve(__dirname, '../../../infra/db/schema');
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function empty(): Promise<string> {
  const { url, drop } = await freshDatabase();
  closers.push(drop);
  return url;
}

async function migrated(url: string): Promise<string[]> {
  const schema = await Database.connect({ url, poolSize: 2 });
  try {
    return await migrate(schema);
  } finally {
    await schema.close();
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function byOldChain(to?: number): Promise<string> {
  const url = await empty();
  const chain = await oldChain(url);
  await chain.up(to);
  await chain.close();
  return url;
}

/** A schema folder of its own, to be changed. */
function copyOfSchema(change: (folder: string) => void, version = 1_000): string {
  const folder = path.join(newFolder('schema'), 'schema');
  cpSync(FOLDER, folder, { recursive: true });
  writeFileSync(path.join(folder, 'version.json'), JSON.stringify({ version }));
  change(folder);
  return folder;
}

let fresh: string;
beforeAll(async () => {
  fresh = await empty();
  expect(await migrated(fresh)).toEqual(MIGRATIONS.map(({ name }) => name));
});

const client = postgresClient();
/** Without the lines that differ from dump to dump. */
function dumpOf(url: string): string[] {
  if (client === undefined) throw new Error('There is no pg_dump.');
  const dump = client('pg_dump', '--schema-only', url).split('\n');
  expect(dump.length).toBeGreaterThan(1_000);
  return dump.filter((line) => !/^\\(un)?restrict /.test(line));
}

/** By the old chain at 0035, and by the baseline alone: tables without repeatable objects. */
async function bareTables(): Promise<{ old: string; url: string }> {
  const old = await byOldChain(35);
  await withClient(old, dropSchema);
  const url = await empty();
  const chain = await Database.connect({ url, poolSize: 2 });
  await chain.source.runMigrations({ transaction: 'each' });
  while ((await chain.source.query('select 1 from migrations where id > 1')).length > 0)
    await chain.source.undoLastMigration({ transaction: 'each' });
  await chain.close();
  return { old, url };
}

describe('the schema as source', () => {
  it('is that of the old chain of migrations: its whole way, and from 0035 on', async () => {
    const [whole, half] = [await byOldChain(), await byOldChain(35)];
    const applied = [await migrated(whole), await migrated(half)];
    const names = MIGRATIONS.map(({ name }) => name);
    expect(applied[0]).toEqual(names.slice(names.indexOf('SchemaState1764288000060')));
    expect(applied[1]).toEqual(names.slice(1));
    const wanted = await describeOf(fresh);
    expect(await describeOf(whole)).toEqual(wanted);
    expect(await describeOf(half)).toEqual(wanted);
  });

  it('the baseline has the tables that the old chain had at 0035', async () => {
    const { old, url } = await bareTables();
    expect(await describeOf(url)).toEqual(await describeOf(old));
  });

  it('its files of tables say what the migrations have made', async () => {
    const url = await empty();
    await withClient(url, async (sql) => {
      await sql.query(`begin; grant usage, create on schema public to af_migrate; grant usage on schema public to af_login, af_app, af_system;
        revoke create on schema public from public; set local role af_migrate;
        alter default privileges for role af_migrate revoke execute on functions from public`);
      for (const text of inOrder(tableTexts())) await sql.query(text);
      await sql.query('commit');
      await sql.query('begin; set local role af_migrate; set local check_function_bodies = off');
      await sql.query(readSchemaSource().text);
      await sql.query('commit');
    });
    expect(await describeOf(url)).toEqual(await describeOf(fresh));
  });

  it('each function holds against the tables', async () => {
    const texts = readdirSync(path.join(FOLDER, 'functions')).map((file) =>
      readFileSync(path.join(FOLDER, 'functions', file), 'utf8').replaceAll(
        /^create function/gm,
        'create or replace function',
      ),
    );
    await withClient(fresh, async (sql) => {
      await sql.query('begin; set local role af_migrate; set local check_function_bodies = on');
      for (const text of texts) await sql.query(text);
      await sql.query('rollback');
    });
    expect(texts.length).toBeGreaterThan(150);
  });
});

describeWhere('pg_dump', client !== undefined, 'pg_dump --schema-only', () => {
  it('says the same after the old chain, its whole way and from 0035 on, as in a new database', async () => {
    for (const url of [await byOldChain(), await byOldChain(35)]) {
      await migrated(url);
      expect(dumpOf(url)).toEqual(dumpOf(fresh));
    }
  });

  it('says the same of the tables of the baseline as of those of the old chain at 0035', async () => {
    const { old, url } = await bareTables();
    expect(dumpOf(url)).toEqual(dumpOf(old));
  });
});

describe('what is repeatable', () => {
  it('is made anew as a whole where a file has changed, and only then', async () => {
    const url = await empty();
    await migrated(url);
    const admin = openAdmin(url);
    closers.push(() => admin.close());
    const before = await describeOf(url);
    expect(await withClient(url, (sql) => applySchema(sql))).toBe(false);
    const folder = copyOfSchema((at) => {
      rmSync(path.join(at, 'functions', 'af_uuid.sql'));
      writeFileSync(
        path.join(at, 'functions', 'af_new.sql'),
        'create function af_new() returns integer language sql as $$ select 1 $$;\n',
      );
    });
    expect(await withClient(url, (sql) => applySchema(sql, readSchemaSource(folder)))).toBe(true);
    const names = async (): Promise<unknown[]> =>
      admin.query(`select proname from pg_proc where proname in ('af_uuid', 'af_new')`);
    expect(await names()).toEqual([{ proname: 'af_new' }]);
    // Older functions do not replace those of a newer version.
    await expect(migrated(url)).rejects.toMatchObject({ code: 'schema_newer', details: { found: 1_000 } });
    expect(await names()).toEqual([{ proname: 'af_new' }]);
    await admin.query('update schema_state set version = 0');
    expect(await migrated(url)).toEqual([]);
    expect(await describeOf(url)).toEqual(before);
  });

  it('a fault in one file leaves everything as it was, and so does an end in the middle', async () => {
    const before = await describeOf(fresh);
    const faulty = copyOfSchema((at) =>
      writeFileSync(path.join(at, 'policies', 'users.sql'), 'create policy x on nothing;'),
    );
    await expect(withClient(fresh, (sql) => applySchema(sql, readSchemaSource(faulty)))).rejects.toMatchObject({
      code: '42P01',
    });
    expect(await describeOf(fresh)).toEqual(before);
    const slow = copyOfSchema((at) => writeFileSync(path.join(at, 'grants', 'zz.sql'), 'select pg_sleep(3600);'));
    const dying = new Client({ connectionString: fresh });
    dying.on('error', () => undefined);
    await dying.connect();
    const failed = expect(applySchema(dying, readSchemaSource(slow))).rejects.toThrow();
    await withClient(fresh, async (sql) => {
      const kill = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
      while ((await sql.query(kill)).rowCount === 0) await sleep(20);
    });
    await failed;
    await dying.end().catch(() => undefined);
    expect(await describeOf(fresh)).toEqual(before);
  });

  it('waits for whoever holds a table, without holding up others', async () => {
    const url = await empty();
    await migrated(url);
    await withClient(url, async (holder) => {
      await holder.query('begin');
      await holder.query('select * from runs');
      const folder = copyOfSchema((at) => writeFileSync(path.join(at, 'grants', 'zz.sql'), '-- changed\n'));
      const applied = withClient(url, (sql) => applySchema(sql, readSchemaSource(folder)));
      const gaveWay = `select 1 from pg_stat_activity where datname = current_database() and query = 'rollback'`;
      await withClient(url, async (sql) => {
        while ((await sql.query(gaveWay)).rowCount === 0) await sleep(10);
        await sql.query('select count(*) from runs');
      });
      await holder.query('commit');
      expect(await applied).toBe(true);
    });
  });

  it('guards the tables of workspaces again', async () => {
    const url = await empty();
    await migrated(url);
    const admin = openAdmin(url);
    closers.push(() => admin.close());
    await admin.query(`insert into workspaces (id, owner_id, slug, name, schema_name)
      values ('11111111-1111-4111-8111-111111111111', '00000000-0000-4000-8000-000000000001', 'w', 'W', 'ws_w')`);
    await admin.query('create schema ws_w authorization af_migrate');
    await admin.query('create table ws_w.t (a text); alter table ws_w.t owner to af_migrate');
    await admin.query(`select af_secure_workspace_table('ws_w.t', '11111111-1111-4111-8111-111111111111')`);
    const before = await describeOf(url, 'ws_w');
    expect(before.filter((line) => line.startsWith('policy'))).toHaveLength(2);
    const folder = copyOfSchema((at) => writeFileSync(path.join(at, 'grants', 'zz.sql'), '-- changed\n'));
    expect(await withClient(url, (sql) => applySchema(sql, readSchemaSource(folder)))).toBe(true);
    expect(await describeOf(url, 'ws_w')).toEqual(before);
  });

  it('a database that stopped before 0035 is refused and left as it is', async () => {
    const url = await byOldChain(30);
    const before = await describeOf(url);
    await expect(migrated(url)).rejects.toMatchObject({ code: 'schema_too_old' });
    expect(await describeOf(url)).toEqual(before);
  });

  it('a change has a new version', () => {
    const { version, hash } = JSON.parse(readFileSync(path.join(FOLDER, 'version.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(readSchemaSource()).toMatchObject({ version, hash });
    expect(REPEATABLE).toEqual(['types', 'functions', 'triggers', 'policies', 'grants']);
  });
});

function tableTexts(): Map<string, string> {
  const files = readdirSync(path.join(FOLDER, 'tables'));
  return new Map(
    files.map((file) => [path.basename(file, '.sql'), readFileSync(path.join(FOLDER, 'tables', file), 'utf8')]),
  );
}

/** Sorts tables so that a referenced one comes first. */
function inOrder(texts: Map<string, string>): string[] {
  const done = new Set<string>();
  const ordered: string[] = [];
  const needs = (text: string): string[] =>
    [...text.matchAll(/(?:references|alter table) (\w+)/g)].map(([, name = '']) => name);
  while (done.size < texts.size) {
    const free = [...texts].filter(
      ([name, text]) => !done.has(name) && needs(text).every((need) => need === name || done.has(need)),
    );
    expect(free).not.toEqual([]);
    for (const [name, text] of free) {
      done.add(name);
      ordered.push(text);
    }
  }
  return ordered;
}
