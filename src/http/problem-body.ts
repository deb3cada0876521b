import { STATUS_CODES } from 'node:http';
import type { JsonObject } from '../../core/base/json';
import type { Problem } from '../../core/errors/problem';
import { isContentLost } from '../../core/errors/content-lost';
import { HttpError, statusOf } from './http-error';
import { recognise } from './known-errors';

/** RFC 9457 problem details with our stable code and the request id. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  problems?: Problem[];
  details?: JsonObject;
}

/** Status of stored content that cannot be given any more. */
const GONE = 410;

/** Tells of an unexpected error only that it happened: no text, no stack, no SQL. */
export function problemBody(error: unknown, requestId: string): ProblemBody {
  const known = recognise(error);
  if (known !== undefined && isContentLost(known)) {
    return { ...head(GONE, known.code), detail: known.message, request_id: requestId };
  }
  if (known === undefined || known.category === 'internal') {
    return {
      ...head(500, known?.code ?? 'internal_error'),
      detail: 'Something went wrong on our side. The log has more under this request id.',
      request_id: requestId,
    };
  }
  const status = known instanceof HttpError ? known.status : statusOf(known.category);
  return {
    ...head(status, known.code),
    detail: known.message,
    request_id: requestId,
    ...(known.problems.length > 0 ? { problems: known.problems } : {}),
    ...(Object.keys(known.details).length > 0 ? { details: known.details } : {}),
  };
}

function head(status: number, code: string): Pick<ProblemBody, 'type' | 'title' | 'status' | 'code'> {
  return { type: `urn:agent-factory:error:${code}`, title: STATUS_CODES[status] ?? 'Error', status, code };
}

/** Headers that belong to the status: a client is told when to come again. */
export function problemHeaders(body: ProblemBody): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
  };
  const wait = body.details?.['retry_after'];
  if (typeof wait === 'number' || body.status === 503 || body.status === 429) {
    headers['retry-after'] = typeof wait === 'number' ? String(Math.ceil(wait)) : '5';
  }
  const allow = body.details?.['allow'];
  if (body.status === 405 && Array.isArray(allow)) {
    headers['allow'] = allow.map(String).join(', ');
  }
  if (body.status === 401) {
    headers['www-authenticate'] = 'Bearer realm="agent-factory"';
  }
  return headers;
}
