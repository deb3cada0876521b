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
  'ENOENT',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
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

/** The server is away, starting, overloaded or out of space; the same call may succeed later. */
export function isDatabaseOutage(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof AppError) {
    return error.code === 'database_unavailable' || error.code === 'storage_full';
  }
  if (code !== undefined && (OUTAGE_CODES.has(code) || STORAGE_CODES.has(code) || code.startsWith('08'))) {
    return true;
  }
  if (error instanceof AggregateError) {
    return error.errors.some(isDatabaseOutage);
  }
  return error instanceof Error && OUTAGE_MESSAGES.some((text) => error.message.includes(text));
}

/** A disk that is full: the database's (53100), or the one a file goes to (ENOSPC). */
export function isStorageFull(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && STORAGE_CODES.has(code);
}

/** Deadlock or serialisation failure: the transaction did not happen and may be run again. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** What people see of an outage; every other error comes back as it is. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof AppError) {
    return error;
  }
  if (isStorageFull(error)) {
    return new AppError('storage_full', 'The storage is full, so nothing was written. Free some space; the work continues by itself.', {
      category: 'unavailable',
      retryable: true,
      cause: error,
    });
  }
  if (isDatabaseOutage(error)) {
    return new AppError('database_unavailable', 'The database does not answer. Try again in a moment.', {
      category: 'unavailable',
      retryable: true,
      cause: error,
    });
  }
  return error;
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
