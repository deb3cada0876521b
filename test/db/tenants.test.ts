import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database, owner, SYSTEM, type Sql } from '../../infra/db/database';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { WorkspacesStore } from '../../infra/db/stores/workspaces.store';
import { saveRows } from '../../infra/workspace/save-rows';
import { testEgress } from '../support/egress';
import type { EgressRequest } from '../../infra/egress/types';
import { loginUrl } from '../support/postgres';
import { newRun, OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { idOf, ownerColumn, seedTenant, type Row, type TenantRows } from './tenant-rows';

let db: TestDatabase;
let mine: TenantRows;
let theirs: TenantRows;
beforeAll(async () => {
  db = await testDatabase();
  mine = await seedTenant(db.admin, OWNER);
  theirs = await seedTenant(db.admin, STRANGER);
});
afterAll(() => db.close());

/** Belongs to the installation; guarded all the same. */
const OF_NOBODY = [
  'master_keys',
  'one_time_links',
  'login_attempts',
  'signing_keys',
  'connector_buckets',
  'connector_bucket_use',
  'connector_askers',
  'connector_slots',
  'connector_breakers',
  'connector_cache',
  'import_dirs',
  'schema_state',
];
const DENIED = '42501';
const asStranger = (text: string, params: unknown[] = []): Promise<Row[]> =>
  db.database.query(owner(STRANGER), text, params);

/** `denied`, or how many rows it touched. */
async function touched(text: string, params: unknown[] = []): Promise<number | 'denied'> {
  try {
    return (await asStranger(`${text} returning 1`, params)).length;
  } catch (error) {
    if ((error as { code?: string }).code === DENIED) return 'denied';
    throw error;
  }
}
const everything = (table: string): Promise<Row[]> => db.admin.query(`select * from ${table} order by 1, 2`);

/** A copy of a row with some columns changed, as an INSERT of the stranger's. */
function inserted(table: string, row: Row): Promise<number | 'denied'> {
  const columns = Object.keys(row).join(', ');
  return touched(`insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1)`, [
    JSON.stringify(row),
  ]);
}

interface Reference {
  child: string;
  column: string;
  parent: string;
}
/** Every column that refers to a row with an owner: foreign keys, and two that have none. */
async function references(): Promise<Reference[]> {
  const found = await db.admin.query<Reference & Row>(
    `select f.conrelid::regclass::text as child, a.attname as column, f.confrelid::regclass::text as parent
      from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.confrelid <> 'users'::regclass`,
  );
  return [
    ...found.filter((each) => each.column !== 'scope'),
    { child: 'runs', column: 'root_run_id', parent: 'runs' },
    { child: 'journal_entries', column: 'playbook_id', parent: 'playbooks' },
  ];
}

describe('a tenant and the rows of another', () => {
  it('has a row of both in every table with an owner', async () => {
    const tables = await db.admin.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`,
    );
    const owned = tables.map((table) => table.name).filter((name) => !OF_NOBODY.includes(name));
    expect([...mine.keys()].toSorted()).toEqual(owned.toSorted());
  });

  it('sees none, changes none, removes none, takes none and gives none away', async () => {
    for (const table of mine.keys()) {
      const column = ownerColumn(table);
      const before = await everything(table);
      expect({ table, seen: await asStranger(`select 1 from ${table} where ${column} = $1`, [OWNER]) }).toEqual({
        table,
        seen: [],
      });
      const tries = {
        update: await touched(`update ${table} set ${column} = ${column} where ${column} = $1`, [OWNER]),
        steal: await touched(`update ${table} set ${column} = $2 where ${column} = $1`, [OWNER, STRANGER]),
        remove: await touched(`delete from ${table} where ${column} = $1`, [OWNER]),
        give: await touched(`update ${table} set ${column} = $1 where ${column} = $2`, [OWNER, STRANGER]),
        forge: await inserted(table, { ...theirs.get(table), ...fresh(table), [column]: OWNER }),
      };
      const came = Object.entries(tries).filter(([, result]) => result !== 'denied' && result !== 0);
      expect({ table, came, give: tries.give, forge: tries.forge }).toEqual({
        table,
        came: [],
        give: 'denied',
        forge: 'denied',
      });
      expect(await everything(table)).toEqual(before);
    }
  });

  it('may do with its own what it may not with those of another', async () => {
    for (const table of [
      'playbooks',
      'playbook_versions',
      'connector_versions',
      'folders',
      'documents',
      'workspaces',
      'agent_profiles',
      'connections',
      'schedules',
      'monitors',
      'discoveries',
      'webhooks',
      'topics',
    ]) {
      const made = await inserted(table, { ...theirs.get(table), ...fresh(table) });
      expect({ table, made }).toEqual({ table, made: 1 });
    }
    const run = idOf(theirs, 'runs');
    const folder = idOf(theirs, 'folders');
    expect(await touched('update documents set run_id = $1, folder_id = $2', [run, folder])).toBe(2);
    expect(await touched('update folders set parent_id = $1 where id <> $1', [folder])).toBe(1);
    const note = { ...theirs.get('journal_entries'), ...fresh('journal_entries'), run_id: run };
    expect(await inserted('journal_entries', { ...note, playbook_id: idOf(theirs, 'playbooks') })).toBe(1);
  });

  it('refers to none', async () => {
    const all = await references();
    expect(all.length).toBeGreaterThan(12);
    for (const { child, column, parent } of all) {
      const target = { [column]: idOf(mine, parent) };
      const place = `${child}.${column}`;
      expect({ place, insert: await inserted(child, { ...theirs.get(child), ...fresh(child), ...target }) }).toEqual({
        place,
        insert: 'denied',
      });
      const update = await touched(`update ${child} set ${column} = $1 where ${ownerColumn(child)} = $2`, [
        target[column],
        STRANGER,
      ]);
      expect({ place, update }).toEqual({ place, update: 'denied' });
    }
  });

  it('starts no run of what it does not see, and repeats and continues none', async () => {
    const runs = new RunsStore(db.database);
    const own = { playbookId: idOf(theirs, 'playbooks'), versionId: idOf(theirs, 'playbook_versions') };
    const foreign = { playbookId: idOf(mine, 'playbooks'), versionId: idOf(mine, 'playbook_versions') };
    const run = idOf(mine, 'runs');
    const tries = [
      newRun(foreign),
      newRun({ ...own, versionId: foreign.versionId }),
      newRun(own, { parent: { run_id: run, step_path: 'a', root_run_id: run, depth: 1 } }),
      newRun(own, { parent: { run_id: idOf(theirs, 'runs'), step_path: 'a', root_run_id: run, depth: 1 } }),
      newRun(own, { retry: { of: run, from: 'a' } }),
    ];
    for (const each of tries) {
      await expect(runs.create(STRANGER, each)).rejects.toMatchObject({ code: 'access_revoked' });
    }
    expect((await runs.create(STRANGER, newRun(own))).created).toBe(true);
    const [answers] = await asStranger(
      `select app_step($1, '{"next": {"effect_key": "k", "try_no": 2, "step_path": "a"}}', null, null, null) as step,
        app_recorded($1, 'k', 1) as recorded, app_retry_run(json_build_object('id', gen_random_uuid(), 'run', $1::uuid)) as retried,
        (select count(*) from app_copy_results($1, $2, array['a'])) as copied`,
      [run, idOf(theirs, 'runs')],
    );
    expect(answers).toEqual({ step: null, recorded: null, retried: false, copied: 0 });
  });

  it('the platform sees what its loops need, and nothing else', async () => {
    for (const table of mine.keys()) {
      const seen = await db.database.query(SYSTEM, `select 1 from ${table}`).then(
        (rows) => rows.length,
        (error: { code?: string }) => error.code,
      );
      const accounts = ['users', 'passwords', 'sessions', 'api_keys', 'invites', 'audit_log'];
      const open = ['runs', 'approvals', 'approval_decisions', 'secrets', ...accounts].includes(table);
      const empty = ['blobs', 'blob_chunks', 'plugins'].includes(table);
      expect({ table, seen }).toEqual({ table, seen: open ? expect.any(Number) : empty ? 0 : DENIED });
    }
  });
});

/** Values that must be unique. */
function fresh(table: string): Row {
  const text = randomUUID();
  const version_no = Math.floor(Math.random() * 1e9);
  const changed: Row = { id: text, slug: text, name: text, handle: text, content_hash: text, version_no };
  const columns = Object.keys(theirs.get(table) ?? {});
  const schema = columns.includes('schema_name') ? { schema_name: `ws_${randomUUID().replaceAll('-', '')}` } : {};
  return { ...Object.fromEntries(Object.entries(changed).filter(([column]) => columns.includes(column))), ...schema };
}

describe('tables of a workspace', () => {
  const save = (ownerId: string, workspace: string): Promise<{ workspace_id: string }> =>
    db.database.tx(owner(ownerId), (sql) =>
      saveRows(
        { sql, store: new WorkspacesStore(db.database) },
        {
          ownerId,
          workspace,
          table: 'finds',
          rows: [{ id: 1, what: ownerId }],
          createIfMissing: true,
          key: { fields: ['id'], onConflict: 'update' },
          runId: null,
          step: 'save',
        },
      ),
    );

  it('are their owner’s: another reads, writes, shapes and removes nothing', async () => {
    const { workspace_id: id } = await save(OWNER, 'atlas');
    await save(STRANGER, 'atlas');
    const [place] = await db.admin.query<{ name: string }>(
      `select format('%I.finds', schema_name) as name from workspaces where id = $1`,
      [id],
    );
    const table = place?.name ?? '';
    const read = (who: string): Promise<Row[]> => db.database.query(owner(who), `select what from ${table}`);
    expect(await read(OWNER)).toEqual([{ what: OWNER }]);
    expect(await read(STRANGER)).toEqual([]);
    expect(await touched(`update ${table} set what = 'x'`)).toBe(0);
    expect(await touched(`delete from ${table}`)).toBe(0);
    expect(await touched(`insert into ${table} (id) values (2)`)).toBe('denied');
    for (const call of [
      `app_create_workspace('${id}')`,
      `app_create_workspace_table('${id}', 'more')`,
      `app_shape_workspace_table('${id}', 'finds', '[{"name": "x", "type": "text", "added": true}]')`,
      `app_key_workspace_table('${id}', 'finds', 'k', array['what'])`,
    ]) {
      await expect(asStranger(`select ${call}`)).rejects.toMatchObject({ code: DENIED });
    }
    await expect(asStranger(`drop table ${table}`)).rejects.toMatchObject({ code: DENIED });
    expect(await read(OWNER)).toEqual([{ what: OWNER }]);
  });

  it('no workspace takes a schema that is not its own', async () => {
    const id = randomUUID();
    await asStranger(
      `insert into workspaces (id, owner_id, slug, name, schema_name) values ($1, $2, 'evil', 'E', 'public')`,
      [id, STRANGER],
    );
    await expect(asStranger('select app_create_workspace_table($1, $2)', [id, 'runs2'])).rejects.toMatchObject({
      code: DENIED,
    });
    await expect(asStranger('update workspaces set schema_name = $2 where id = $1', [id, 'x'])).rejects.toMatchObject({
      code: DENIED,
    });
  });
});

describe('T06 one connection, two tenants', () => {
  it('alternate two hundred times, every third request aborted: no foreign row, nobody left set', async () => {
    const narrow = await Database.connect({ url: loginUrl(db.url), poolSize: 1 });
    const look = (sql: Sql): Promise<Row[]> => sql.query('select distinct owner_id as id from runs');
    try {
      for (let turn = 0; turn < 200; turn += 1) {
        const who = turn % 2 === 0 ? OWNER : STRANGER;
        if (turn % 3 === 2) {
          const broken = turn % 4 < 2 ? 'select 1/0' : 'select 1';
          const aborted = narrow.tx(owner(who), async (sql) => {
            expect(await look(sql)).toEqual([{ id: who }]);
            await sql.query(broken);
            throw new Error('the request was aborted');
          });
          await expect(aborted).rejects.toThrow();
        } else if (turn % 3 === 1) {
          await expect(narrow.query(owner(who), 'select 1/0')).rejects.toMatchObject({ code: '22012' });
        } else {
          expect(await look(narrow.as(owner(who)))).toEqual([{ id: who }]);
        }
        expect(
          await narrow.hot(
            `select current_user as role, coalesce(current_setting('app.user_id', true), '') as user_id`,
            [],
          ),
        ).toEqual([{ role: 'af_login', user_id: '' }]);
      }
    } finally {
      await narrow.close();
    }
  });
});

describe('a transaction', () => {
  it('takes no second connection: what is not SQL comes before or after', async () => {
    const egress = testEgress();
    const strays: (() => Promise<unknown>)[] = [
      () => db.database.query(owner(OWNER), 'select 1'),
      () => db.database.hot('select 1', []),
      () => db.database.tx(owner(OWNER), () => Promise.resolve()),
      () => egress.fetch({ method: 'GET', url: 'http://127.0.0.1:1/' } as EgressRequest),
    ];
    for (const stray of strays) {
      await expect(db.database.tx<unknown>(owner(OWNER), stray)).rejects.toThrow(/inside an open transaction/);
    }
  });

  it('is nobody’s who has no UUID', async () => {
    await expect(db.database.query(owner(`x', true); drop table runs; --`), 'select 1')).rejects.toThrow(TypeError);
  });
});
