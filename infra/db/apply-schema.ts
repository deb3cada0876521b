import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { hasOwnVersion } from './known-schema';
import { readSchemaSource, type SchemaSource } from './schema-source';

/** Shorter than the second after which PostgreSQL looks for a deadlock: this side gives up first, not a run. */
const LOCK_TIMEOUT = '800ms';
const PAUSE_MS = 200;
/** Five minutes of tries, so that one long transaction of another process does not end the start. */
const MOST_TRIES = 300;
const GIVES_WAY = new Set(['55P03', '40P01']);

/** Tables first, in one order, so that nothing is half locked while it waits. */
const LOCK_TABLES = `do $$
declare
  v_tables text;
begin
  select string_agg(c.oid::regclass::text, ', ' order by c.relname) into v_tables from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relowner = 'af_migrate'::regrole;
  if v_tables is not null then
    execute 'lock table ' || v_tables || ' in access exclusive mode';
  end if;
end $$`;

/**
 * Removes all repeatable objects. What is left is closed: nobody but its owner has a right on a table. Row-level security is removed
 * with its policies: without them the owner could change no row.
 */
const DROP = `do $$
declare
  v record;
  v_functions text;
begin
  for v in select p.polname as name, c.oid::regclass as tab, c.relnamespace = 'public'::regnamespace as ours
    from pg_policy p join pg_class c on c.oid = p.polrelid where c.relowner = 'af_migrate'::regrole
  loop
    execute format('drop policy %I on %s', v.name, v.tab);
    if v.ours then
      execute format('alter table %s disable row level security', v.tab);
      execute format('alter table %s no force row level security', v.tab);
    end if;
  end loop;
  for v in select t.tgname as name, c.oid::regclass as tab from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
  loop
    execute format('drop trigger %I on %s', v.name, v.tab);
  end loop;
  select string_agg(p.oid::regprocedure::text, ', ') into v_functions from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proowner = 'af_migrate'::regrole;
  if v_functions is not null then
    execute 'drop function ' || v_functions;
  end if;
  for v in select c.oid::regclass as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'c' and c.relowner = 'af_migrate'::regrole
  loop
    execute format('drop type %s', v.name);
  end loop;
  for v in select c.oid::regclass as tab from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relowner = 'af_migrate'::regrole
  loop
    execute format('revoke all on table %s from af_login, af_app, af_system, public', v.tab);
  end loop;
end $$`;

/** Tables that people have made in their workspaces are guarded by one of the functions. */
const SECURE_WORKSPACES = `
  select af_secure_workspace_table(c.oid::regclass, w.id) from workspaces w
    join pg_namespace n on n.nspname = w.schema_name
    join pg_class c on c.relnamespace = n.oid and c.relkind = 'r'`;

/**
 * Makes types, functions, triggers, policies and grants as infra/db/schema says, all or nothing; true: they differed. `client`: a connection
 * of the role that migrates, under the migration lock.
 * @throws AppError `schema_newer` where a later build has made its own
 */
export async function applySchema(client: Client, source: SchemaSource = readSchemaSource()): Promise<boolean> {
  const current = await recorded(client);
  hasOwnVersion(current?.version ?? null);
  if (current?.hash === source.hash) return false;
  await withAllTablesLocked(client, async () => {
    await client.query(DROP);
    await client.query(`set local check_function_bodies = off;\n${source.text}`);
    await client.query(SECURE_WORKSPACES);
    await client.query(
      `insert into schema_state (version, hash) values ($1, $2)
        on conflict (only_row) do update set version = $1, hash = $2, applied_at = now()`,
      [source.version, source.hash],
    );
  });
  return true;
}

/** Used on the way back: a migration that drops a column must not meet a policy that reads it. */
export async function dropSchema(client: Client): Promise<void> {
  await withAllTablesLocked(client, async () => {
    await client.query(DROP);
    const [state] = (await client.query<{ there: boolean }>(`select to_regclass('schema_state') is not null as there`))
      .rows;
    if (state?.there === true) await client.query('delete from schema_state');
  });
}

async function recorded(client: Client): Promise<{ version: number; hash: string } | undefined> {
  await client.query('begin; set local role af_migrate');
  const { rows } = await client.query<{ version: number; hash: string }>('select version, hash from schema_state');
  await client.query('commit');
  return rows[0];
}

/** Runs `work` in a transaction as af_migrate that holds all tables. */
async function withAllTablesLocked(client: Client, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(`begin; set local role af_migrate; set local lock_timeout = '${LOCK_TIMEOUT}'`);
      await client.query(LOCK_TABLES);
      await client.query(`set local lock_timeout = 0`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (tries >= MOST_TRIES || !GIVES_WAY.has((error as { code?: string }).code ?? '')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
