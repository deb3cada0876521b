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
  /** For everything: look-up, connection, redirects, body. */
  timeoutMs: number;
  /** Cap on the body, sent and decompressed. */
  maxBytes?: number;
}

export interface EgressResponse {
  status: number;
  /** Lower-case names; a repeated header is joined with `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** Where the answer came from, after redirects. */
  url: string;
}
