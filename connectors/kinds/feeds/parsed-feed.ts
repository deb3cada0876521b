import type { JsonObject } from '../../../core/base/json';

/** One item as `core/connector` describes it; what it lacks is null. `guid` is never null. */
export interface FeedItem extends JsonObject {
  title: string | null;
  description: string | null;
  summary: string | null;
  /** RFC 3339 in UTC. */
  pubDate: string | null;
  link: string | null;
  category: string | string[] | null;
  guid: string;
  author: string | null;
  enclosure: { url: string; type: string | null; length: number | null } | null;
}

export interface ParsedFeed {
  format: 'rss' | 'atom' | 'rdf' | 'json';
  title: string | null;
  encoding: string;
  items: FeedItem[];
  /** Faults in spite of which the feed was read. */
  warnings: string[];
}
