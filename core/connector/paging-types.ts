export const PAGINATION_TYPES = ['page', 'offset', 'cursor', 'keyset', 'link_header', 'next_url'] as const;
export type PaginationType = (typeof PAGINATION_TYPES)[number];

/**
 * Signs that a source gives behind its last page: `short_page` = only the last one has fewer records than `size`; `empty_page`;
 * `not_found` = 404; `html` = a web page in place of data.
 */
export const END_SIGNS = ['short_page', 'empty_page', 'not_found', 'html'] as const;
export type EndSign = (typeof END_SIGNS)[number];

/** Reading more than one page. Every cap ends the reading with a note in the result; a repeated page or cursor too. */
export interface Pagination {
  type: PaginationType;
  /** Parameter that carries the page number, offset or cursor. */
  param?: string;
  /** Place of `param` in the request. */
  in: 'query' | 'body' | 'header';
  /** First page number or offset. */
  start: number;
  size_param?: string;
  size?: number;
  /** Dot path of the next cursor (cursor) or the next address (next_url) in the answer. */
  cursor_path?: string;
  next_path?: string;
  /** keyset: parameter → path in the answer that holds its next value. */
  keys?: Record<string, string>;
  /**
   * Signs with which the source is known to end its list (page, offset). Absent: a page that is shorter than `size` and
   * a 404 are taken for the end, which the result calls a guess.
   */
  ends_with?: EndSign[];
  /** Dot path of the number of all records in the answer (page, offset). */
  total_path?: string;
  /** Dot path of the flag that says whether there is another page (page, offset). */
  more_path?: string;
  /** Records of one page; default: the mapping's `results_path`. */
  results_path?: string;
  max_pages: number;
  max_items: number;
  max_bytes: number;
  max_seconds: number;
}

export interface CachePolicy {
  ttl_seconds: number;
  /** Seconds after `ttl_seconds` in which a cached answer may replace that of a failing source. */
  stale_if_error_seconds: number;
}
