import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../core/errors/app-error';
import { credentialOf } from './credential';

/** Bytes that a caller without a credential may send: more than signing in takes. */
const MOST_BYTES = 64 * 1024;

/**
 * A body is read before the guard knows its sender. A request without a credential must not make the server hold megabytes: undefined,
 * or the refusal. Throws `ambiguous_credentials`.
 */
export function anonymousBodyProblem(headers: IncomingHttpHeaders): AppError | undefined {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  if (length <= MOST_BYTES || credentialOf(headers) !== undefined) return undefined;
  return new AppError('unauthenticated', 'Say who you are before you send this much.', { category: 'unauthenticated' });
}
