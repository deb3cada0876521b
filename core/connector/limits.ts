/** The numbers of the language: the reader, the published schema and its documentation take them from here. */
export interface Bounds {
  min: number;
  max: number;
}
export interface DefaultBounds extends Bounds {
  default: number;
}

const DAYS_30 = 2_592_000;

export const TIMEOUT: DefaultBounds = { min: 1, max: 600, default: 30 };
export const REQUESTS: Bounds = { min: 1, max: 1_000_000_000 };
export const CONCURRENCY: Bounds = { min: 1, max: 1_000 };

export const PAGE_START: Bounds = { min: 0, max: 1_000_000_000 };
export const PAGE_SIZE: Bounds = { min: 1, max: 10_000 };
export const MAX_PAGES: DefaultBounds = { min: 1, max: 10_000, default: 100 };
export const MAX_ITEMS: DefaultBounds = { min: 1, max: 1_000_000, default: 10_000 };
export const MAX_PAGE_BYTES: DefaultBounds = { min: 1_000, max: 1_000_000_000, default: 50_000_000 };
export const MAX_SECONDS: DefaultBounds = { min: 1, max: 3_600, default: 300 };

export const TTL: DefaultBounds = { min: 1, max: DAYS_30, default: 3_600 };
export const STALE: DefaultBounds = { min: 0, max: DAYS_30, default: 86_400 };

export const FOLLOWED_PAGES: DefaultBounds = { min: 1, max: 100, default: 10 };

export const FEED_ITEMS: DefaultBounds = { min: 1, max: 1_000, default: 50 };
export const POLL_MINUTES: Bounds = { min: 1, max: 43_200 };

export const ROWS: DefaultBounds = { min: 1, max: 100_000, default: 1_000 };
export const ROW_BYTES: DefaultBounds = { min: 1_000, max: 64_000_000, default: 10_000_000 };

export const FILE_MEGABYTES: DefaultBounds = { min: 1, max: 64, default: 50 };
export const FILES: DefaultBounds = { min: 1, max: 10_000, default: 1_000 };
export const COLUMN: Bounds = { min: 1, max: 100_000 };
export const SKIPPED_LINES: Bounds = { min: 0, max: 10_000 };

/** Entries of one list or map of a definition. */
export const MAX_ENDPOINTS = 200;
export const MAX_FEEDS = 100;
export const MAX_TRANSFORMS = 20;
export const MAX_MAP_VALUES = 1_000;

export const MAX_DESCRIPTION = 10_000;
export const MAX_TEXT = 2_000;
/** A selector or an SQL or GraphQL text. */
export const MAX_SELECTOR = 500;
export const MAX_QUERY = 100_000;
