import type { FeedItem } from './parsed-feed';

export interface Selection {
  items: FeedItem[];
  /** Items that stood in the feed more than once. */
  duplicates: number;
  /** Items older than asked for. */
  older: number;
  /** Newer items than the cap lets through. */
  cut: number;
}

/**
 * Selects items of a feed: each once (by guid; without one by link or digest), newest first, not older than `since`, at
 * most `most`. Items without a date always count, after the others: their age is unknown.
 */
export function recentItems(items: readonly FeedItem[], use: { since: number | undefined; most: number }): Selection {
  const { since } = use;
  const distinct = distinctBy(items, (item) => item.guid);
  const recent = distinct.filter((item) => since === undefined || !(timeOf(item) < since));
  const sorted = recent
    .map((item, index) => ({ item, index, at: timeOf(item) }))
    .sort((one, other) => newestFirst(one.at, other.at) || one.index - other.index)
    .map(({ item }) => item);
  return {
    items: sorted.slice(0, use.most),
    duplicates: items.length - distinct.length,
    older: distinct.length - recent.length,
    cut: Math.max(0, sorted.length - use.most),
  };
}

/** The first of each. */
export function distinctBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const known = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

/** NaN where there is no date. */
function timeOf(item: FeedItem): number {
  return item.pubDate === null ? Number.NaN : Date.parse(item.pubDate);
}

function newestFirst(one: number, other: number): number {
  if (Number.isNaN(one) || Number.isNaN(other)) {
    return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
  }
  return other - one;
}
