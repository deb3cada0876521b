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
  /**
   * What the source is known to end its list with (page, offset). Absent: a page that is shorter than `size` and a 404 are taken for the end,
   * which the result calls a guess.
   */
  ends_with?: EndSign[];
  /** Where the answer says how many records there are in all (page, offset). Dot path. */
  total_path?: string;
  /** Where the answer says whether there is another page: true or false (page, offset). Dot path. */
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
  /** How long after `ttl_seconds` an answer may stand in for a source that fails. */
  stale_if_error_seconds: number;
}
