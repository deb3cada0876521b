import { afterAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database, owner } from '../../../infra/db/database';
import { migrate } from '../../../infra/db/migrate';
import { RowSecurity1764288000012 } from './chain/0012-row-security';
import { WorkspacesStore } from '../../../infra/db/stores/workspaces.store';
import { saveRows } from '../../../infra/workspace/save-rows';
import { openAdmin } from '../../support/admin';
import { freshDatabase, loginUrl } from '../../support/postgres';
import { OWNER } from '../db-fixture';
import { ownerColumn, seedTenant } from '../tenant-rows';
import { oldChain } from './old-chain';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

it('what the single user had before row-level security is theirs afterwards, tables of workspaces too', async () => {
  const { url, drop } = await freshDatabase();
  const admin = openAdmin(url);
  const schema = await Database.connect({ url, poolSize: 2 });
  closers.push(
    drop,
    () => admin.close(),
    () => schema.close(),
  );
  const chain = await oldChain(url);
  closers.push(() => chain.close());
  await chain.up();
  await chain.downBefore(RowSecurity1764288000012.name);

  const rows = await seedTenant(admin, OWNER);
  const workspace = String(rows.get('workspaces')?.['schema_name']);
  await admin.query(`create schema ${workspace}`);
  await admin.query(`create table ${workspace}.t (_id bigint generated always as identity primary key, _run_id uuid,
    _step text, _saved_at timestamptz not null default clock_timestamp(), name text)`);
  await admin.query(`insert into ${workspace}.t (name) values ('kept')`);
  await admin.query(`update workspace_tables set columns = '[{"name": "name", "sql_name": "name", "type": "text"}]'`);

  await chain.up(35);
  await migrate(schema);
  const database = await Database.connect({ url: loginUrl(url), poolSize: 2 });
  closers.push(() => database.close());
  for (const table of rows.keys()) {
    const found = await database.query(owner(OWNER), `select ${ownerColumn(table)} as id from ${table}`);
    expect({ table, found }).toEqual({ table, found: [{ id: OWNER }] });
  }
  await database.tx(owner(OWNER), (sql) =>
    saveRows(
      { sql, store: new WorkspacesStore(database) },
      {
        ownerId: OWNER,
        workspace: String(rows.get('workspaces')?.['slug']),
        table: 't',
        rows: [{ name: 'more', size: 1 }],
        createIfMissing: false,
        key: { fields: ['name'], onConflict: 'update' },
        runId: null,
        step: 'save',
      },
    ),
  );
  const read = (id: string): Promise<unknown[]> =>
    database.query(owner(id), `select name, size from ${workspace}.t order by _id`);
  expect(await read(OWNER)).toEqual([
    { name: 'kept', size: null },
    { name: 'more', size: 1 },
  ]);
  expect(await read(randomUUID())).toEqual([]);
});
