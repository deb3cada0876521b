import type { Client } from 'pg';
import { AppError } from '../../../core/errors/app-error';

/**
 * Settings of the one transaction. `standard_conforming_strings` above all: the text was checked by a grammar that reads texts
 * that way. The last one ends a statement soon after this side is gone; not every server can.
 */
const SETTINGS = `select set_config(s.name, v.value, true)
  from (values ('statement_timeout', $1), ('lock_timeout', $1), ('idle_in_transaction_session_timeout', $1),
    ('standard_conforming_strings', 'on'), ('DateStyle', 'ISO, YMD'), ('IntervalStyle', 'iso_8601'), ('TimeZone', 'UTC'),
    ('client_connection_check_interval', '2s')) as v (name, value)
  join pg_catalog.pg_settings s on s.name = v.name
  where s.name <> 'client_connection_check_interval' or pg_catalog.version() ~ 'linux'`;

/** Opens the only transaction of a connection. */
export async function beginReading(client: Client, timeoutMs: number): Promise<void> {
  await client.query('begin transaction read only');
  await client.query(SETTINGS, [String(Math.max(1, Math.floor(timeoutMs)))]);
}

/** Roles of the session: its login, its current role, and those that both can become. */
const POWERS = `with me as (
    select r.oid from pg_catalog.pg_roles r
    where exists (select from pg_catalog.pg_roles own where own.rolname in (session_user, current_user)
      and pg_catalog.pg_has_role(own.oid, r.oid, 'member')))
  select current_user as role, current_database() as database,
    array_remove(array[
      case when exists (select from pg_catalog.pg_roles r join me using (oid) where r.rolsuper) then 'is a superuser' end,
      case when exists (select from pg_catalog.pg_roles r join me using (oid) where r.rolreplication) then 'has REPLICATION' end,
      case when exists (select from pg_catalog.pg_roles r join me using (oid) where r.rolbypassrls) then 'has BYPASSRLS' end,
      (select 'is a member of ' || min(r.rolname) from pg_catalog.pg_roles r join me using (oid)
        where r.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')),
      case when exists (select from pg_catalog.pg_class c join me on me.oid = c.relowner
        where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')) then 'owns tables' end
    ], null) as powers`;

/** A role that can do more than read, by any way, is not used: the transaction alone would stand between it and the data. */
export async function requireWeakRole(client: Client): Promise<void> {
  const { rows } = await client.query<{ role: string; database: string; powers: string[] }>(POWERS);
  const found = rows[0];
  if (found === undefined || found.powers.length === 0) return;
  throw new AppError(
    'role_too_powerful',
    `The role \`${found.role}\` ${found.powers.join(', ')}. A connector only takes a role that can read and nothing else. One that fits:\n${readerSql(found.database)}`,
    { category: 'forbidden', details: { role: found.role, powers: found.powers, sql: readerSql(found.database) } },
  );
}

/** Statements that make a safe role, for an administrator of the database. */
function readerSql(database: string): string {
  const name = `"${database.replaceAll('"', '""')}"`;
  return [
    "CREATE ROLE agent_factory_reader LOGIN PASSWORD 'choose one' NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;",
    `GRANT CONNECT ON DATABASE ${name} TO agent_factory_reader;`,
    'GRANT USAGE ON SCHEMA public TO agent_factory_reader;',
    'GRANT SELECT ON ALL TABLES IN SCHEMA public TO agent_factory_reader;',
    'ALTER ROLE agent_factory_reader SET default_transaction_read_only = on;',
  ].join('\n');
}

/** Number of the cluster that answers, where the role may ask. */
export async function systemOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ may: boolean }>(
    `select pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'execute') as may`,
  );
  if (rows[0]?.may !== true) return undefined;
  const system = await client.query<{ id: string }>(
    'select system_identifier::text as id from pg_catalog.pg_control_system()',
  );
  return system.rows[0]?.id;
}
