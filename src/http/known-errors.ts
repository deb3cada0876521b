import { AppError } from '../../core/errors/app-error';
import { toDatabaseError } from '../../infra/db/outage';
import { HttpError } from './http-error';

const UNSUPPORTED: Make = () =>
  new HttpError(
    415,
    'unsupported_media_type',
    'Send the body as application/json (documents: application/octet-stream or multipart/form-data).',
  );
export const tooLarge: Make = () =>
  new AppError(
    'payload_too_large',
    'The body is larger than this route accepts. Send less, or upload a document and refer to it; how large one may be says AF_MAX_UPLOAD_MB (64 MB where it is not set).',
    {
      category: 'too_large',
    },
  );
export const noRoute: Make = () =>
  new AppError('route_not_found', 'There is no such address here. GET /api/docs lists all of them.', {
    category: 'not_found',
  });
const BAD_URL: Make = () =>
  new AppError('invalid_url', 'The path is not correctly percent-encoded.', { category: 'bad_request' });

type Make = () => AppError;

/** Errors that Fastify reports by itself, in our words. Its own messages are meant for its developers. */
const FASTIFY: Record<string, Make> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: UNSUPPORTED,
  FST_ERR_BAD_URL: BAD_URL,
  FST_ERR_MAX_PARAM_LENGTH: () => new HttpError(414, 'url_too_long', 'A part of the path is too long.'),
};

/** Nest passes Fastify's errors on as its own exceptions, of which only the status can be relied upon. 403 is what
 * the server of the documentation's files says to a path that leads out of its folder. */
const BY_STATUS: Record<number, Make> = { 403: noRoute, 404: noRoute, 413: tooLarge, 415: UNSUPPORTED };

/** Turns anything that was thrown into one of our errors; `undefined` = a defect of ours. */
export function recognise(error: unknown): AppError | undefined {
  if (error instanceof AppError) {
    return error;
  }
  if (typeof error !== 'object' || error === null) {
    return undefined;
  }
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') {
    const make = Object.hasOwn(FASTIFY, code) ? FASTIFY[code] : undefined;
    if (make !== undefined) {
      return make();
    }
  }
  const translated = toDatabaseError(error);
  return translated instanceof AppError ? translated : fromStatus(error);
}

/** Nest's own exceptions: only the status is taken, the text is ours. */
function fromStatus(error: object): AppError | undefined {
  const own = error as { getStatus?: () => number; statusCode?: number };
  const status = typeof own.getStatus === 'function' ? own.getStatus() : own.statusCode;
  if (status === undefined || status < 400 || status >= 500) {
    return undefined;
  }
  return BY_STATUS[status]?.() ?? new HttpError(status, 'invalid_request', 'The request could not be read.');
}
