import { connect, type Socket } from 'node:net';
import type { DatabaseConnector, DatabaseEndpoint } from '../../core/connector/types';
import type { OpenSocket } from '../../connectors/kinds/database/access';
import { openAdmin, type Admin } from '../support/admin';
import { freshDatabase } from '../support/postgres';
import {
  connectorDeps,
  testContext,
  callEndpoint,
  type CallContext,
  type ConnectorDeps,
  openedBy,
} from '../support/connector-deps';
import type { EndpointResult } from '../../connectors/call/connector-call';

/** A database of somebody else, with roles that may do more or less in it. */
export interface OtherDatabase {
  admin: Admin;
  /** Address as the role of that name. */
  addressOf(role: string): string;
  /** Address as the superuser. */
  superuser: string;
  close(): Promise<void>;
}

let count = 0;

export async function otherDatabase(): Promise<OtherDatabase> {
  const { url, drop } = await freshDatabase();
  const admin = openAdmin(url);
  count += 1;
  const prefix = `other_${process.pid}_${count}_`;
  const roles: string[] = [];
  for (const [role, more] of Object.entries(ROLES)) {
    await admin.query(`create role ${prefix}${role} login password 'a pass/word' ${more}`);
    roles.push(prefix + role);
  }
  await admin.query(`grant pg_read_server_files to ${prefix}files`);
  await admin.query(`grant ${prefix}replicator to ${prefix}heir`);
  for (const statement of SCHEMA) await admin.query(statement.replaceAll('ROLE_', prefix));
  const addressOf = (role: string): string => {
    const address = new URL(url);
    address.username = prefix + role;
    address.password = 'a pass/word';
    address.search = '?sslmode=disable';
    return address.href.replace('postgres:', 'postgresql:');
  };
  return {
    admin,
    addressOf,
    superuser: `${url}?sslmode=disable`,
    close: async () => {
      await admin.query(`drop owned by ${roles.join(', ')} cascade`);
      for (const role of roles) await admin.query(`drop role ${role}`);
      await admin.close();
      await drop();
    },
  };
}

const ROLES = {
  reader: '',
  replicator: 'replication',
  heir: 'noinherit',
  unbound: 'bypassrls',
  files: '',
  owner: '',
};

const SCHEMA = [
  `create table t (id int primary key, name text, amount numeric, day date, at timestamptz, tags text[], doc jsonb, raw bytea)`,
  `insert into t values
    (1, 'Ångström & Söhne', 1234.50, '2026-01-31', '2026-01-31 12:00:00+02', '{a,"b, c",NULL}', '{"k": [1, null]}', 'x'),
    (2, null, 12345678901234567890.12, null, null, null, null, null)`,
  `grant select on t to public`,
  `grant create on schema public to ROLE_owner`,
  `create function quiet(n int) returns int language sql stable as 'select n'`,
  `create function loud(n int) returns int language plpgsql volatile as 'begin return n; end'`,
  `create function loud_part(r t) returns int language plpgsql volatile as 'begin return 1; end'`,
  `create function loud_step(a int, b int) returns int language plpgsql volatile as 'begin return a + b; end'`,
  `create aggregate loud_sum (int) (sfunc = loud_step, stype = int, initcond = '0')`,
  `create operator ^^^ (leftarg = int, rightarg = int, function = loud_step)`,
  `create schema app`,
  `create function app.random() returns int language plpgsql volatile as 'begin return 1; end'`,
  `grant usage on schema app to public`,
  `create domain quiet_mail as text check (position('@' in value) > 0)`,
  `create domain loud_mail as text check (loud(length(value)) > 0)`,
  `create domain sleepy as int check (pg_sleep(0) is not null)`,
  `create domain deep_mail as loud_mail`,
  `create type envelope as (subject text, sender loud_mail)`,
  `create type pair as (a int, b int)`,
  `create function to_pair(text) returns pair language plpgsql volatile as 'begin return row(1, 2); end'`,
  `create cast (text as pair) with function to_pair(text)`,
  `create function from_pair(pair) returns text language plpgsql volatile as 'begin return 1; end'`,
  `create function with_default(n int default loud(1)) returns int language sql stable as 'select n'`,
  `create function takes_mail(m loud_mail) returns int language sql stable as 'select 1'`,
  `create view loud_view as select loud(id) as n from t`,
  `create function writes() returns int language plpgsql volatile security definer as
    'begin insert into t (id) values (98); return 1; end'`,
  `create view writing_view as select writes() as n from t`,
  `grant select on loud_view, writing_view to public`,
  `create function sneaky() returns int language plpgsql stable security definer as
    'begin insert into t (id) values (99); return 1; end'`,
];

/** Straight to where the address says: what the guard lets through is the guard's own test. */
export const openDirectly: OpenSocket = ({ host, port }) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    socket.on('error', () => undefined);
  });

export interface Ask {
  address: string;
  inputs?: { [name: string]: never } | Record<string, unknown>;
  endpoint?: Partial<DatabaseEndpoint>;
  connector?: Partial<DatabaseConnector['connection']>;
  deps?: Partial<ConnectorDeps>;
  context?: Partial<CallContext>;
  secretHosts?: readonly string[];
}

export const parameter = (
  name: string,
  type: 'string' | 'integer' | 'array' | 'date' | 'object' | 'number' | 'boolean',
) => ({
  name,
  in: 'query' as const,
  type,
  required: false,
});

/** One call of a connector with one endpoint. */
export function ask(sql: string | undefined, given: Ask): Promise<EndpointResult> {
  const endpoint: DatabaseEndpoint = {
    ...(sql === undefined ? {} : { sql }),
    free_sql: sql === undefined,
    parameters:
      sql === undefined ? [{ ...parameter('sql', 'string'), required: true }, parameter('params', 'object')] : [],
    max_rows: 100,
    max_bytes: 1_000_000,
    ...given.endpoint,
  };
  const definition: DatabaseConnector = {
    schema: 1,
    id: 'other',
    name: 'Other',
    type: 'database',
    connection: {
      driver: 'postgresql',
      auth: { type: 'connection_string', secret: { secret: 'DB' } },
      timeout_seconds: 300,
      ...given.connector,
    },
    endpoints: { e: endpoint },
  };
  const deps = connectorDeps({
    secretValues: { DB: given.address },
    ...(given.secretHosts === undefined ? {} : { secretHosts: given.secretHosts }),
    database: openedBy(openDirectly),
    ...given.deps,
  });
  return callEndpoint(deps, {
    definition,
    endpoint: 'e',
    inputs: (given.inputs ?? {}) as never,
    context: testContext({ timeoutMs: 300_000, ...given.context }),
  });
}
