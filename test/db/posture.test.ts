import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { owner, SYSTEM } from '../../infra/db/database';
import { OWNER, testDatabase, type TestDatabase } from './db-fixture';
import { ownerColumn, seedTenant } from './tenant-rows';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await seedTenant(db.admin, OWNER);
});
afterAll(() => db.close());

/** Tables that no row-level security guards, each with its reason. */
const WITHOUT_OWNER: Record<string, string> = {
  migrations: 'names of applied migrations; only whoever migrates touches it',
};
/** Guarded as all others, but of nobody: people have no right on them at all. */
const OF_THE_INSTALLATION = [
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
/**
 * All that a process may call before it is somebody: what the hot path needs, each for one owner or one run, and what finds
 * out who somebody is, each for one secret.
 */
const LOGIN_MAY = [
  'af_approval',
  'af_approval_link',
  'af_approval_waits',
  'af_audit',
  'af_await_turn',
  'af_begin_login',
  'af_block_bucket',
  'af_bound_connector',
  'af_bound_secret',
  'af_breaker',
  'af_cache_answer',
  'af_cached',
  'af_child_before',
  'af_confirmations',
  'af_connector_auth',
  'af_count_decision',
  'af_decision',
  'af_drop_answers',
  'af_effect_sent',
  'af_end_login',
  'af_ended_credentials',
  'af_events_horizon',
  'af_expire_approval',
  'af_finish',
  'af_finish_tree',
  'af_has_blob',
  'af_hold_slots',
  'af_identify',
  'af_import_dirs',
  'af_insert_run',
  'af_latest_connectors',
  'af_lease_requests',
  'af_link',
  'af_linked_run',
  'af_log_pages',
  'af_may_read',
  'af_migrations',
  'af_nudge_approval',
  'af_open_log',
  'af_open_model_call',
  'af_open_session',
  'af_owner_events',
  'af_playbook_to_start',
  'af_put_blob',
  'af_read_blob',
  'af_receive_decision',
  'af_record_connector_calls',
  'af_refresh',
  'af_register',
  'af_release',
  'af_renew_watch',
  'af_repeat_child',
  'af_retry_child',
  'af_revive_answer',
  'af_run',
  'af_run_by_key',
  'af_run_children',
  'af_run_playbook',
  'af_run_started',
  'af_run_to_work',
  'af_schema_version',
  'af_sent_elsewhere',
  'af_set_password',
  'af_settle_and_finish',
  'af_settle_approval',
  'af_settle_decision',
  'af_settle_model_call',
  'af_step',
  'af_sweep_connectors',
  'af_take_decision',
  'af_transition',
  'af_use_approval_link',
  'af_use_link',
  'af_wait_step',
];

async function names(text: string, params: unknown[] = []): Promise<string[]> {
  return (await db.admin.query<{ name: string }>(text, params)).map((row) => row.name);
}
const tables = (): Promise<string[]> =>
  names(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and relname not like 'typeorm%' order by 1`,
  );
const guarded = async (): Promise<string[]> =>
  (await tables()).filter((table) => WITHOUT_OWNER[table] === undefined && !OF_THE_INSTALLATION.includes(table));
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  );

describe('T07 the posture of the database', () => {
  it('roles have no more than they need, and nothing belongs to those that processes use', async () => {
    expect(await db.database.hot('select current_user as role, session_user as login', [])).toEqual([
      { role: 'af_login', login: 'af_login' },
    ]);
    expect(
      await names(`select rolname as name from pg_roles where rolname in ('af_login', 'af_app', 'af_system', 'af_migrate')
        and (rolsuper or rolbypassrls or rolinherit or rolcreaterole or rolcreatedb or rolreplication)`),
    ).toEqual([]);
    expect(
      await names(
        `select rolname as name from pg_roles where rolname in ('af_app', 'af_system', 'af_migrate') and rolcanlogin`,
      ),
    ).toEqual([]);
    expect(
      await names(`select r.rolname as name from pg_roles r where r.rolname in ('af_login', 'af_app', 'af_system')
        and pg_has_role(r.oid, 'af_migrate', 'member')`),
    ).toEqual([]);
    expect(
      await names(`select c.relname as name from pg_class c join pg_roles r on r.oid = c.relowner
        where r.rolname in ('af_login', 'af_app', 'af_system')
        union all select p.proname from pg_proc p join pg_roles r on r.oid = p.proowner
        where r.rolname in ('af_login', 'af_app', 'af_system')`),
    ).toEqual([]);
  });

  it('row-level security is forced on every table, or the table is listed with a reason', async () => {
    const all = await tables();
    const forced = await names(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity and relforcerowsecurity`,
    );
    expect(all.filter((table) => !forced.includes(table))).toEqual(Object.keys(WITHOUT_OWNER));
    const owned = await names(
      `select distinct table_name as name from information_schema.columns
        where table_schema = 'public' and column_name in ('owner_id', 'user_id', 'scope')`,
    );
    expect(owned.filter((table) => WITHOUT_OWNER[table] !== undefined)).toEqual([]);
  });

  it('policies name their roles, and read no table themselves: none leads back to another', async () => {
    expect(await names(`select polname as name from pg_policy where polroles = '{0}'`)).toEqual([]);
    expect(
      await names(`select p.polname as name from pg_policy p join pg_depend d on d.classid = 'pg_policy'::regclass
        and d.objid = p.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> p.polrelid`),
    ).toEqual([]);
    for (const table of await guarded()) {
      const rows = await codeOf(db.database.query(owner(OWNER), `select 1 from ${table} limit 1`));
      expect({ table, rows }).toEqual({ table, rows: 'done' });
    }
  });

  it('what belongs to the installation is closed to people', async () => {
    for (const table of OF_THE_INSTALLATION) {
      expect(await codeOf(db.database.query(owner(OWNER), `select 1 from ${table}`))).toBe('42501');
    }
  });

  it('views show what the current user may see', async () => {
    expect(
      await names(`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
        and not coalesce(reloptions::text like '%security_invoker=true%', false)`),
    ).toEqual([]);
  });

  it('functions are closed to all but those named, and those that lend rights cannot be bent', async () => {
    const open = `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace`;
    const callable = async (role: string): Promise<string[]> =>
      names(`${open} and has_function_privilege($1, p.oid, 'execute') order by 1`, [role]);
    await db.admin.query('create role nobody_in_particular').catch(() => undefined);
    expect(await callable('nobody_in_particular')).toEqual(['app_uid']);
    expect(await callable('af_login')).toEqual([...LOGIN_MAY, 'app_uid'].toSorted());
    expect(await callable('af_system')).toEqual([
      'af_closed',
      'af_keep_answer',
      'af_lock_starts',
      'af_owner_room',
      'app_uid',
    ]);
    expect((await callable('af_app')).filter((name) => !/^(app_|af_closed$)/.test(name))).toEqual([]);
    expect(
      await names(`${open} and p.prosecdef and (pg_get_userbyid(p.proowner) <> 'af_migrate'
        or not coalesce('search_path=pg_catalog, public, pg_temp' = any(p.proconfig), false))`),
    ).toEqual([]);
    expect(
      await names(
        `${open} and not p.prosecdef and p.proname <> 'app_uid' and has_function_privilege('af_login', p.oid, 'execute')`,
      ),
    ).toEqual([]);
  });

  it('stray SQL of a process fails: it has no right on any table, and makes none', async () => {
    for (const table of await tables()) {
      for (const text of [`select 1 from ${table}`, `delete from ${table}`, `truncate ${table}`]) {
        expect({ text, code: await codeOf(db.database.hot(text, [])) }).toEqual({ text, code: '42501' });
      }
    }
    for (const text of ['create table mine (id int)', 'create temporary table runs (id int)', 'create schema mine']) {
      expect({ text, code: await codeOf(db.database.hot(text, [])) }).toEqual({ text, code: '42501' });
      expect({ text, code: await codeOf(db.database.query(owner(OWNER), text)) }).toEqual({ text, code: '42501' });
      expect({ text, code: await codeOf(db.database.query(SYSTEM, text)) }).toEqual({ text, code: '42501' });
    }
    expect(await codeOf(db.database.hot('set role af_migrate', []))).toBe('42501');
  });

  it('nobody sees nothing: no user is no rows, and no error', async () => {
    for (const table of await guarded()) {
      const rows = await db.admin.tx(async (sql) => {
        await sql.query('set local role af_app');
        return sql.query(`select 1 from ${table}`);
      });
      expect({ table, rows }).toEqual({ table, rows: [] });
      const own = await db.database.query(owner(OWNER), `select ${ownerColumn(table)} as id from ${table}`);
      expect({ table, seen: own.length > 0 }).toEqual({ table, seen: true });
      expect(own.filter((row) => row['id'] !== OWNER)).toEqual([]);
    }
  });
});
