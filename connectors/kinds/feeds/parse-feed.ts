import { parseFeed as parseWithLibrary, parseJsonFeed } from 'feedsmith';
import { shorten } from '../../../core/base/shorten';
import { FileFault } from '../../formats/file-fault';
import { parseJsonText } from '../../formats/text/json-text';
import type { FeedJob } from '../../formats/host/file-parser-host';
import { feedItems, feedTitle } from './feed-items';
import { decodeFeed, rootElement } from './feed-text';
import { gatheredItems } from './gathered-items';
import type { ParsedFeed } from './parsed-feed';
import { listAt } from './pick';

/** One feed of any kind. Faults that leave its items readable are `warnings`. Throws FileFault. */
export function parseFeed(job: FeedJob): ParsedFeed {
  const { text, encoding, warnings } = decodeFeed(job.bytes, job.contentType);
  try {
    const { format, feed } = /^[\s\ufeff]*\{/.test(text) ? ofJson(text) : ofXml(text, warnings);
    const items = feedItems(format, feed, job.url, warnings);
    return { format, title: feedTitle(feed), encoding, items, warnings };
  } catch (error) {
    throw faultOf(error);
  }
}

interface Parsed {
  format: ParsedFeed['format'];
  feed: unknown;
}

function ofJson(text: string): Parsed {
  return { format: 'json', feed: parseJsonFeed(parseJsonText(text)) };
}

function ofXml(text: string, warnings: string[]): Parsed {
  const { xml, name, complete } = rootElement(text);
  if (!complete) {
    warnings.push('It has no end: it may have been cut off.');
  }
  if (isEmpty(xml)) {
    warnings.push('It is empty.');
    return { format: FORMATS.get(name.toLowerCase().replace(/^.*:/, '')) ?? 'rss', feed: {} };
  }
  const { format, feed } = parseWithLibrary(xml);
  const gathered = gatheredItems(xml, { format, found: itemsOf(format, feed).length });
  if (gathered === undefined) {
    return { format, feed };
  }
  warnings.push('Its items do not lie where they belong; some element before them has no end.');
  const key = format === 'atom' ? 'entries' : 'items';
  return { format, feed: { ...(feed as object), [key]: itemsOf(format, parseWithLibrary(gathered).feed) } };
}

const FORMATS = new Map<string, ParsedFeed['format']>([
  ['rss', 'rss'],
  ['feed', 'atom'],
  ['rdf', 'rdf'],
]);

/** True for a feed that is its root element alone. */
function isEmpty(xml: string): boolean {
  return /^<[^<>]*(\/>|>\s*<\/[^<>]*>)$/.test(xml.trim());
}

function itemsOf(format: ParsedFeed['format'], feed: unknown): unknown[] {
  return listAt(feed, format === 'atom' ? 'entries' : 'items');
}

function faultOf(error: unknown): unknown {
  if (error instanceof FileFault) {
    return error;
  }
  if (error instanceof RangeError) {
    return new FileFault('feed_too_complex', 'The feed is nested too deeply to be read.');
  }
  const message = error instanceof Error ? error.message : String(error);
  const { line, column } = error as { line?: unknown; column?: unknown };
  return new FileFault('malformed_feed', `The answer is no readable feed: ${shorten(message, 200)}.`, {
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof column === 'number' ? { column } : {}),
  });
}
