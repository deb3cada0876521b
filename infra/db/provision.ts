import { Client } from 'pg';
import { AppError } from '../../core/errors/app-error';
import type { Database } from './database';
import { LOGIN_ROLE, scramVerifier } from './login';
import { tagDatabaseErrors } from './outage';
import { clientOptions } from './pool';

const REFUSED = new Set(['28P01', '28000', '3D000']);

/**
 * Lets `af_login` log in with the password of `loginUrl`; makes the role if it is missing. A working login stays.
 * @throws AppError `database_login_unsafe` when the role of `ownerUrl` may not
 */
export async function provisionLogin(ownerUrl: string, loginUrl: string): Promise<void> {
  if (await logsIn(loginUrl)) {
    return;
  }
  const verifier = scramVerifier(decodeURIComponent(new URL(loginUrl).password));
  try {
    await withClient(ownerUrl, async (client) => {
      // Roles belong to the server: a process of another database may be creating them at this moment.
      await client.query('select pg_advisory_lock(4017734292)');
      await client.query(`do $$ begin
        if not exists (select from pg_roles where rolname = '${LOGIN_ROLE}') then
          create role ${LOGIN_ROLE} nologin noinherit;
        end if;
      exception when duplicate_object or unique_violation then null; end $$`);
      await client.query(`alter role ${LOGIN_ROLE} login password '${verifier}'`);
    });
  } catch (cause) {
    if (codeOf(cause) !== '42501') {
      throw cause;
    }
    throw new AppError(
      'database_login_unsafe',
      `The administrator of AF_MIGRATE_DATABASE_URL (or DATABASE_URL) may not give ${LOGIN_ROLE} its password. Let DATABASE_URL name ${LOGIN_ROLE} with the password that it has.`,
      { category: 'validation', cause },
    );
  }
}

const WHO = `
    select current_user as name, r.rolsuper or r.rolbypassrls or r.rolinherit
        or exists (select from pg_roles m where m.rolname = 'af_migrate' and pg_has_role(r.oid, m.oid, 'member')) as unsafe
      from pg_roles r where r.rolname = current_user`;

/**
 * The last check before work begins: row-level security must apply to the role of this connection.
 * @throws AppError `database_login_unsafe`
 */
export async function refuseUnsafeLogin(database: Database): Promise<void> {
  const [row] = await database.hot<{ name: string; unsafe: boolean }>(WHO, []);
  if (row?.unsafe !== false) {
    throw new AppError(
      'database_login_unsafe',
      `The database role ${row?.name ?? 'of DATABASE_URL'} has more rights than a process may have: it must be ${LOGIN_ROLE}, no superuser, without BYPASSRLS and INHERIT, and no member of af_migrate.`,
      { category: 'validation' },
    );
  }
}

/** True for an unknown role or a wrong password. */
export function isLoginRefused(error: unknown): boolean {
  return REFUSED.has(codeOf(error) ?? '');
}

async function logsIn(url: string): Promise<boolean> {
  try {
    await withClient(url, async () => undefined);
    return true;
  } catch (error) {
    if (isLoginRefused(error)) {
      return false;
    }
    throw error;
  }
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(clientOptions(url));
  client.on('error', () => undefined);
  try {
    await tagDatabaseErrors(client.connect());
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
