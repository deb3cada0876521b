import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../core/errors/app-error';

/** Node and PostgreSQL codes that say "not now": nothing is known about whether the statement was carried out. */
const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53200',
  '53300',
  '25006',
  '25P03',
]);
const STORAGE_CODES = new Set(['53100', '58030', 'ENOSPC']);
const OUTAGE_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Query read timeout',
  'Client was closed',
  'Cannot use a pool after calling end',
  'the database system is',
  'DriverNotConnected',
];

/** Errors that came out of the database driver: a refused connection to anything else is nobody's outage here. */
const fromDatabase = new WeakSet<object>();

/** Passes the promise on and remembers its error as one of the database. */
export async function tagDatabaseErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (typeof error === 'object' && error !== null) {
      fromDatabase.add(error);
    }
    throw error;
  }
}

const OUTAGE_MS = 30_000;
const PAUSE_MS = 250;

/** Repeats the start of a process while the database is down, for `waitMs`; then throws the driver's error. */
export async function retryWhileDown<T>(work: () => Promise<T>, waitMs = OUTAGE_MS): Promise<T> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseOutage(error) || Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** The database is away, starting, overloaded or out of space; the same call may succeed later. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof AppError) {
    return error.code === 'database_unavailable' || error.code === 'storage_full';
  }
  return typeof error === 'object' && error !== null && fromDatabase.has(error) && looksLikeOutage(error);
}

function looksLikeOutage(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (OUTAGE_CODES.has(code) || STORAGE_CODES.has(code) || code.startsWith('08'))) {
    return true;
  }
  if (code === 'ENOENT' && fieldOf(error, 'syscall') === 'connect') {
    return true;
  }
  const errors = fieldOf(error, 'errors');
  if (Array.isArray(errors)) {
    return errors.some(looksLikeOutage);
  }
  const message = fieldOf(error, 'message');
  return typeof message === 'string' && OUTAGE_MESSAGES.some((text) => message.includes(text));
}

/** A disk that is full: the database's (53100), or the one a file goes to (ENOSPC); also as our own error says it. */
export function isStorageFull(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof AppError) return code === 'storage_full';
  return code !== undefined && STORAGE_CODES.has(code);
}

/** Deadlock or serialisation failure: the transaction did not happen and may be run again. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** Error that people see of an outage; every other error comes back as it is. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof AppError) {
    return error;
  }
  if (!isDatabaseOutage(error)) {
    return error;
  }
  return isStorageFull(error)
    ? storageFull(error)
    : new AppError('database_unavailable', 'The database does not answer. Try again in a moment.', {
        category: 'unavailable',
        retryable: true,
        cause: error,
      });
}

/** `what` is full, in words. */
export function storageFull(cause: unknown, what = 'The storage is full'): AppError {
  return new AppError(
    'storage_full',
    `${what}, so nothing was written. Free some space; the work continues by itself.`,
    {
      category: 'unavailable',
      retryable: true,
      cause,
    },
  );
}

function codeOf(error: unknown): string | undefined {
  const code = fieldOf(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined;
}
