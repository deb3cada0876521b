import { createHmac, pbkdf2Sync, randomBytes, createHash } from 'node:crypto';
import { AppError } from '../../core/errors/app-error';

/** The role that the processes log in as: it owns nothing and may do nothing but call the listed functions. */
export const LOGIN_ROLE = 'af_login';

export interface DatabaseLogin {
  /** Address with the login `af_login`. */
  url: string;
  /** Login of the role that migrates and gives `af_login` its password; undefined: this process may not migrate. */
  ownerUrl: string | undefined;
}

/**
 * Login of this process at the database. `DATABASE_URL` names `af_login` itself, or an administrator: then the password
 * of `af_login` is made from theirs, so that every process that has the URL finds the same one and keeps nothing.
 * @throws AppError `database_url_missing`, `database_login_unsafe`
 */
export function databaseLogin(config: {
  databaseUrl?: string | undefined;
  migrateDatabaseUrl?: string | undefined;
}): DatabaseLogin {
  const { databaseUrl, migrateDatabaseUrl } = config;
  if (databaseUrl === undefined) {
    throw new AppError(
      'database_url_missing',
      'DATABASE_URL is not set. `npm start` sets it for the embedded database.',
      {
        category: 'validation',
      },
    );
  }
  const url = new URL(databaseUrl);
  if (url.username === LOGIN_ROLE) {
    return { url: databaseUrl, ownerUrl: migrateDatabaseUrl };
  }
  if (url.password === '' || url.host === '') {
    throw new AppError(
      'database_login_unsafe',
      `DATABASE_URL has no password, so none can be made for ${LOGIN_ROLE}, which the processes log in as. Let DATABASE_URL name ${LOGIN_ROLE} with a password of your choice, and AF_MIGRATE_DATABASE_URL the administrator.`,
      { category: 'validation' },
    );
  }
  const secret = decodeURIComponent(url.password);
  url.username = LOGIN_ROLE;
  url.password = createHmac('sha256', secret).update('agent-factory af_login').digest('base64url');
  return { url: url.href, ownerUrl: migrateDatabaseUrl ?? databaseUrl };
}

const ITERATIONS = 4096;

/** Verifier that PostgreSQL keeps of a password (RFC 5803): it never sees or logs the password itself. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}
