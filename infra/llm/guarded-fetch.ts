import { Readable } from 'node:stream';
import { AppError } from '../../core/errors/app-error';
import type { Egress } from '../egress/egress';
import type { EgressStream } from '../egress/types';

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** The watchdog ends calls long before. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** Statuses whose answers have no body by the Fetch standard. */
const WITHOUT_BODY = new Set([204, 205, 304]);

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface GuardedFetchOptions {
  egress: Egress;
  baseUrl: string;
  /** Called with every chunk, also those that the SDK drops (pings). */
  onBytes: () => void;
  maxBytes?: number;
}

/**
 * The `fetch` of one provider's SDK, through the egress guard: only below the base URL, never along a redirect (a key
 * must not travel to another host), with a cap on the answer.
 */
export function guardedFetch(options: GuardedFetchOptions): Fetch {
  const { egress, onBytes, maxBytes = MAX_RESPONSE_BYTES } = options;
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== base.origin || !url.pathname.startsWith(prefix)) {
      throw new AppError(
        'llm_wrong_address',
        'A model request was about to leave for an address that is not the configured one.',
        { category: 'internal' },
      );
    }
    const answer = await egress.fetchStream({
      method: init.method ?? 'GET',
      url: url.href,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...bodyOf(init.body),
      ...(init.signal ? { signal: init.signal } : {}),
      timeoutMs: DAY_MS,
      maxBytes,
      maxRedirects: 0,
      onBytes,
    });
    onBytes();
    return toResponse(answer);
  };
}

function bodyOf(body: unknown): { body?: string | Uint8Array } {
  if (body === undefined || body === null) {
    return {};
  }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    return { body };
  }
  throw new AppError('llm_unsupported_body', 'A model request has a body that is neither text nor bytes.', {
    category: 'internal',
  });
}

function toResponse({ status, headers, body }: EgressStream): Response {
  const hasBody = !WITHOUT_BODY.has(status);
  if (!hasBody) {
    body.destroy();
  }
  // The body arrives decompressed; headers that say otherwise would mislead the SDK.
  const { 'content-encoding': _coding, 'content-length': _length, ...rest } = headers;
  return new Response(hasBody ? (Readable.toWeb(body) as unknown as ReadableStream) : null, { status, headers: rest });
}
