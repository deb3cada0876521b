import { AppError } from '../../../core/errors/app-error';

/** Address of a database and its login, from the value of a secret. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** `verified`: the server's certificate must be right. `encrypted`: any certificate will do. */
  tls: 'off' | 'encrypted' | 'verified';
}

const TLS: Readonly<Record<string, DatabaseAddress['tls']>> = {
  disable: 'off',
  require: 'encrypted',
  'verify-ca': 'verified',
  'verify-full': 'verified',
};
const DEFAULT_PORT = 5432;

/**
 * Reads `postgresql://user:password@host:port/database?sslmode=...`. Nothing else is taken from it: other parameters of such
 * addresses name files of this machine, further hosts or settings of the session. Never says the value.
 */
export function readAddress(value: string, secret: string): DatabaseAddress {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || (url.protocol !== 'postgresql:' && url.protocol !== 'postgres:')) {
    throw invalid(secret, 'is no address of the form postgresql://user:password@host:5432/database');
  }
  if (/[,%/\\\s]/.test(url.hostname) || !URL.canParse(`http://${url.hostname}`))
    throw invalid(secret, 'must name exactly one host');
  const [user, password, database] = [url.username, url.password, url.pathname.replace(/^\//, '')].map(decodePart);
  if (user === undefined || password === undefined || database === undefined) {
    throw invalid(secret, 'holds a % that is no encoding; write %25 for it');
  }
  if (user === '') throw invalid(secret, 'names no user');
  if (database === '') throw invalid(secret, 'names no database');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    user,
    password,
    database,
    tls: tlsOf(url.searchParams, secret),
  };
}

/** Encrypted and verified unless the address says otherwise: nobody finds out later that it was not. */
function tlsOf(parameters: URLSearchParams, secret: string): DatabaseAddress['tls'] {
  for (const name of parameters.keys()) {
    if (name !== 'sslmode') {
      throw invalid(secret, `has a parameter that is not taken; only \`sslmode\` is`);
    }
  }
  const mode = parameters.get('sslmode');
  if (mode === null) return 'verified';
  const tls = Object.hasOwn(TLS, mode) ? TLS[mode] : undefined;
  if (tls === undefined) throw invalid(secret, 'has an unknown sslmode; write disable, require or verify-full');
  return tls;
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The rules of hosts speak of addresses of the web. */
export function addressUrl({ host, port }: DatabaseAddress): URL {
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
}

function invalid(secret: string, fault: string): AppError {
  return new AppError('invalid_secret', `The value of the secret \`${secret}\` ${fault}.`, { category: 'bad_request' });
}
