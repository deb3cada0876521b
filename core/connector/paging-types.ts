export const PAGINATION_TYPES = ['page', 'offset', 'cursor', 'keyset', 'link_header', 'next_url'] as const;
export type PaginationType = (typeof PAGINATION_TYPES)[number];

/** Reading more than one page. Every cap ends the reading with a note in the result; a repeated page or cursor too. */
export interface Pagination {
  type: PaginationType;
  /** Parameter that carries the page number, offset or cursor. */
  param?: string;
  /** Where `param` goes. */
  in: 'query' | 'body' | 'header';
  /** First page number or offset. */
  start: number;
  size_param?: string;
  size?: number;
  /** Where the answer holds the next cursor (cursor), or the next address (next_url). Dot path. */
  cursor_path?: string;
  next_path?: string;
  /** keyset: parameter → path in the answer that holds its next value. */
  keys?: Record<string, string>;
  /** Records of one page; default: the mapping's `results_path`. */
  results_path?: string;
  max_pages: number;
  max_items: number;
  max_bytes: number;
  max_seconds: number;
}

export interface CachePolicy {
  ttl_seconds: number;
  /** How long after `ttl_seconds` an answer may stand in for a source that fails. */
  stale_if_error_seconds: number;
}
