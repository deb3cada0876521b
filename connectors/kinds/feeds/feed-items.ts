import { createHash } from 'node:crypto';
import { shorten } from '../../../core/base/shorten';
import { absolute } from '../scraper/links';
import { feedDate, unknownZone } from './feed-date';
import { repairMojibake } from './mojibake';
import type { FeedItem, ParsedFeed } from './parsed-feed';
import { firstText, listAt, pick, textAt } from './pick';
import { plainText, summaryOf } from './plain-text';

type Format = ParsedFeed['format'];
type Paths = (string | number)[][];

/** Paths of an item's fields in each kind of feed, best first. */
const PLACES: Record<Format, { description: Paths; date: Paths; author: Paths; category: string[][]; id: Paths }> = {
  rss: {
    description: [
      ['description'],
      ['content', 'encoded'],
      ['itunes', 'summary'],
      ['media', 'description'],
      ['dc', 'descriptions', 0],
    ],
    date: [
      ['pubDate'],
      ['dc', 'dates', 0],
      ['dcterms', 'created', 0],
      ['dcterms', 'issued', 0],
      ['atom', 'published'],
      ['atom', 'updated'],
    ],
    author: [
      ['authors', 0],
      ['dc', 'creators', 0],
      ['atom', 'authors', 0],
      ['itunes', 'author'],
    ],
    category: [['categories'], ['dc', 'subjects']],
    id: [['guid'], ['atom', 'id']],
  },
  rdf: {
    description: [['description'], ['content', 'encoded'], ['dc', 'descriptions', 0]],
    date: [['dc', 'dates', 0], ['dcterms', 'created', 0], ['dcterms', 'issued', 0], ['pubDate']],
    author: [['dc', 'creators', 0], ['author']],
    category: [['dc', 'subjects'], ['categories']],
    id: [['rdf', 'about'], ['about'], ['guid']],
  },
  atom: {
    description: [['summary'], ['content']],
    date: [['published'], ['updated'], ['dc', 'dates', 0]],
    author: [
      ['authors', 0],
      ['dc', 'creators', 0],
      ['source', 'authors', 0],
    ],
    category: [['categories'], ['dc', 'subjects']],
    id: [['id']],
  },
  json: {
    description: [['summary'], ['content_html'], ['content_text']],
    date: [['date_published'], ['date_modified']],
    author: [['authors', 0], ['author']],
    category: [['tags']],
    id: [['id']],
  },
};

/** The items of a parsed feed, in its order. `url`: where it came from; `warnings` gets what of them cannot be read. */
export function feedItems(format: Format, feed: unknown, url: string, warnings: string[]): FeedItem[] {
  const base = baseOfFeed(format, feed, url);
  const feedAuthor = format === 'atom' || format === 'json' ? firstText(feed, ['authors', 0], ['author']) : undefined;
  return listAt(feed, format === 'atom' ? 'entries' : 'items').map((item) =>
    itemOf(item, { format, base: baseIn(item, base), feedAuthor, warnings }),
  );
}

export function feedTitle(feed: unknown): string | null {
  const title = textAt(feed, 'title');
  return title === undefined ? null : plainText(repairMojibake(title));
}

/**
 * Base of relative addresses in a feed: `xml:base`; of RSS the channel's link; else the feed's own address. A feed that
 * is republished elsewhere names its origin with its link.
 */
function baseOfFeed(format: Format, feed: unknown, url: string): string {
  const link = format === 'atom' ? alternateLink(feed) : firstText(feed, ['link'], ['home_page_url']);
  const self = listAt(feed, 'links').find((found) => pick(found, 'rel') === 'self');
  const home = [link, textAt(self, 'href')].find((address) => address !== undefined && URL.canParse(address));
  const elsewhere = home !== undefined && new URL(home).host !== new URL(url).host;
  const start = elsewhere ? home : format === 'atom' || link === undefined ? url : absolute(link, url);
  return baseIn(feed, start);
}

function baseIn(node: unknown, outer: string): string {
  const base = textAt(node, 'xml', 'base');
  return base === undefined ? outer : absolute(base, outer);
}

interface ItemUse {
  format: Format;
  base: string;
  feedAuthor: string | undefined;
  warnings: string[];
}

function itemOf(item: unknown, use: ItemUse): FeedItem {
  const { format, base } = use;
  const places = PLACES[format];
  const text = firstText(item, ...places.description);
  const description = text === undefined ? null : repairMojibake(text);
  const link = linkOf(format, item, base);
  const title = firstText(item, ['title'], ['dc', 'titles', 0]);
  const found = {
    title: title === undefined ? null : titleText(repairMojibake(title)),
    description,
    summary: description === null ? null : summaryOf(description),
    pubDate: dateOf(item, places.date, use.warnings) ?? null,
    link: link ?? null,
    category: categoryOf(item, places.category),
    author: authorOf(item, places.author) ?? use.feedAuthor ?? null,
    enclosure: enclosureOf(format, item, base),
  };
  return { ...found, guid: firstText(item, ...places.id) ?? found.link ?? digestOf(found) };
}

/** Limit of warnings: further ones tell nothing new. */
const MAX_WARNINGS = 20;

/** The first date that can be read. A date that cannot be read, and an unknown zone, are warnings: neither is a missing date. */
function dateOf(item: unknown, places: Paths, warnings: string[]): string | undefined {
  const texts = places.map((path) => textAt(item, ...path)).filter((text) => text !== undefined && text.trim() !== '');
  for (const text of texts as string[]) {
    const date = feedDate(text);
    const zone = unknownZone(text);
    const shown = shorten(text.trim());
    if (date === undefined) warn(warnings, `The date \`${shown}\` of an item cannot be read.`);
    else if (zone !== undefined)
      warn(warnings, `The zone ${zone} of the date \`${shown}\` is not known: it counts as UTC.`);
    if (date !== undefined) return date;
  }
  return undefined;
}

function warn(warnings: string[], message: string): void {
  if (warnings.length < MAX_WARNINGS && !warnings.includes(message)) warnings.push(message);
}

/** Mark-up in a title is dropped; a title is one line. */
function titleText(title: string): string {
  return /<[A-Za-z/!]|&[#A-Za-z]/.test(title) ? plainText(title) : title.replace(/[\r\n\t]+/g, ' ');
}

function linkOf(format: Format, item: unknown, base: string): string | undefined {
  if (format === 'atom') {
    const link = alternateLink(item);
    return link === undefined ? undefined : absolute(link, base);
  }
  const link =
    firstText(item, ['link'], ['url'], ['external_url'], ['feedburner', 'origLink']) ??
    alternateLink(pick(item, 'atom'));
  if (link !== undefined) {
    return absolute(link, base);
  }
  const guid = textAt(item, 'guid');
  const isLink = guid !== undefined && pick(item, 'guid', 'isPermaLink') !== false && /^https?:/i.test(guid);
  return isLink ? guid : undefined;
}

/** A link without `rel` is the alternate one (RFC 4287 section 4.2.7.2); without any, whatever is no enclosure counts. */
function alternateLink(node: unknown): string | undefined {
  const links = listAt(node, 'links');
  const rel = (link: unknown): string => textAt(link, 'rel') ?? 'alternate';
  const best =
    links.find((link) => rel(link) === 'alternate') ?? links.find((link) => /^(related|via)$/.test(rel(link)));
  return textAt(best, 'href');
}

function categoryOf(item: unknown, places: string[][]): FeedItem['category'] {
  for (const path of places) {
    const texts = listAt(item, ...path)
      .map((category) => firstText(category, [], ['name'], ['label'], ['term']))
      .filter((text) => text !== undefined);
    if (texts.length > 0) {
      return texts.length === 1 ? (texts[0] ?? null) : texts;
    }
  }
  return null;
}

/** RSS writes `address (name)`. */
function authorOf(item: unknown, places: Paths): string | undefined {
  const author = firstText(item, ...places) ?? firstText(item, ...places.map((path) => [...path, 'email']));
  const named = author === undefined ? null : /^\S+@\S+\s+\(([^()]+)\)$/.exec(author);
  return named?.[1]?.trim() ?? author;
}

function enclosureOf(format: Format, item: unknown, base: string): FeedItem['enclosure'] {
  const atomLink = listAt(item, 'links').find((link) => pick(link, 'rel') === 'enclosure');
  const found = format === 'atom' ? atomLink : (listAt(item, 'enclosures')[0] ?? listAt(item, 'attachments')[0]);
  const url = firstText(found, ['url'], ['href']);
  if (url === undefined) {
    return null;
  }
  const length = pick(found, 'length') ?? pick(found, 'size_in_bytes');
  return {
    url: absolute(url, base),
    type: firstText(found, ['type'], ['mime_type']) ?? null,
    length: typeof length === 'number' && Number.isSafeInteger(length) ? length : null,
  };
}

/** Digest of an item without id and link, over all its parts. */
function digestOf(found: object): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(found)).digest('hex')}`;
}
