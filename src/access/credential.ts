import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../core/errors/app-error';
import type { Identity } from './identity';

/** Credential of a caller. */
export interface Credential {
  means: Identity['means'];
  secret: string;
}

export const SESSION_COOKIE = 'af_session';

/**
 * Headers are read before the cookie, which a browser sends by itself. A credential that cannot be read counts as shown: it is
 * refused, and nothing else is tried. Throws `ambiguous_credentials`.
 */
export function credentialOf(headers: IncomingHttpHeaders): Credential | undefined {
  const { authorization } = headers;
  const key = headers['x-api-key'];
  if (authorization !== undefined && key !== undefined) throw ambiguous();
  if (key !== undefined) return { means: 'key', secret: String(key) };
  if (authorization !== undefined) {
    return { means: 'token', secret: /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '' };
  }
  return fromCookie(headers.cookie);
}

function fromCookie(header: string | undefined): Credential | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
  if (values.length > 1) throw ambiguous();
  return values[0] === undefined ? undefined : { means: 'session', secret: values[0] };
}

function ambiguous(): AppError {
  return new AppError(
    'ambiguous_credentials',
    'Show one credential: an API key in X-API-Key, or an access token in Authorization, not both.',
    { category: 'unauthenticated' },
  );
}

/**
 * A browser sends the cookie also when a page of another site makes the request. Foreign origins were refused before; here a
 * request has to say that it comes from one of our pages. Only a read may say so by Sec-Fetch-Site alone.
 */
export function refuseForgedCookie(method: string, headers: IncomingHttpHeaders): void {
  if (headers.origin !== undefined) return;
  if (method === 'GET' && headers['sec-fetch-site'] === 'same-origin') return;
  throw new AppError(
    'origin_missing',
    'A request with a session cookie must say which page it comes from (Origin). Programs use X-API-Key or Authorization.',
    { category: 'forbidden' },
  );
}
