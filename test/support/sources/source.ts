import type { IncomingHttpHeaders } from 'node:http';

/** A third party at the wire, after its own documentation and its recorded answers. */
export interface Source {
  /** Hosts of the source; the first one is used where an address names none. */
  hosts: readonly string[];
  /** Answer that is given before the address is read: a refusal of a client without the right key or header. */
  admits?: (request: SourceRequest) => SourceAnswer | undefined;
  /** Answer to a client that asks too often. */
  limited: (retryAfter: string) => SourceAnswer;
  /** Answer for an unknown address. */
  missing: (request: SourceRequest) => SourceAnswer;
  routes: readonly Route[];
}

export interface Route {
  method?: 'GET' | 'POST';
  /** Host and path, such as `api.example.org/v1/rows/{id}`. */
  at: string;
  /** No answer = the address is unknown. */
  answer: (request: SourceRequest) => SourceAnswer | undefined;
}

export interface SourceRequest {
  method: string;
  /** Host and path as the source sees them. */
  address: string;
  /** Parts of the path by their name in `at`. */
  parts: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** JSON body; an empty object without one. */
  body: Record<string, unknown>;
  /** An address of the source at this server. */
  here: (address: string) => string;
}

export interface SourceAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}

export function json(value: unknown, status = 200): SourceAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

export function html(body: string | Buffer, status = 200): SourceAnswer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

export function xml(body: string | Buffer, status = 200): SourceAnswer {
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

/** 429 with the time to wait. */
export function tooMany(body: SourceAnswer, retryAfter: string): SourceAnswer {
  return { ...body, status: 429, headers: { ...body.headers, 'retry-after': retryAfter } };
}

/** Behaviour of api.data.gov, which stands before several agencies. */
export const DATA_GOV = {
  admits: ({ headers, query }: SourceRequest): SourceAnswer | undefined => {
    const key = headers['x-api-key'] ?? query.get('api_key');
    if (key === SOURCE_KEY) return undefined;
    return key === undefined || key === null
      ? json({ error: { code: 'API_KEY_MISSING', message: 'No api_key was supplied.' } }, 403)
      : json({ error: { code: 'API_KEY_INVALID', message: 'An invalid api_key was supplied.' } }, 403);
  },
  limited: (retryAfter: string): SourceAnswer =>
    tooMany(json({ error: { code: 'OVER_RATE_LIMIT', message: 'You have exceeded your rate limit.' } }), retryAfter),
};

/** The key that each of these sources takes. */
export const SOURCE_KEY = 'key-of-the-stand-in-4711';
