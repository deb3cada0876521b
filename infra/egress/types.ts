import type { Readable } from 'node:stream';

export const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
export const MAX_REDIRECTS = 5;

export interface EgressRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** Names of headers that carry credentials: dropped when a redirect leaves the origin. */
  secretHeaders?: string[];
  /** Hosts that the secret in this request may be sent to (see secret-hosts.ts); undefined where it carries none. */
  secretHosts?: readonly string[];
  body?: Uint8Array | string;
  signal?: AbortSignal;
  /** Time for everything: look-up, connection, redirects, body. */
  timeoutMs: number;
  /** Cap on the body, as sent and decompressed. */
  maxBytes?: number;
  /** Redirects that are followed at most; at 0 the first one fails with `redirect_refused`. */
  maxRedirects?: number;
  /** Called with every piece of the answer when it is received. */
  onBytes?: () => void;
}

interface EgressHead {
  status: number;
  /** Lower-case names; a repeated header is joined with `, `. */
  headers: Record<string, string>;
  /** Address of the answer, after redirects. */
  url: string;
}

export interface EgressResponse extends EgressHead {
  body: Uint8Array;
}

/** An answer whose body is read as it comes. Nothing more is taken from the peer than is read here. */
export interface EgressStream extends EgressHead {
  /** Decompressed; fails with the same AppErrors as `fetch`. Read it to its end, or destroy it. */
  body: Readable;
}
