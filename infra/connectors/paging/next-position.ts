import { assertNever } from '../../../core/base/assert-never';
import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject, ownField } from '../../../core/base/json';
import { parseDotPath, readDotPath } from '../../../core/connector/path';
import type { EndSign, Pagination } from '../../../core/connector/paging-types';
import { parseLinks, nextLink } from './link-header';
import { isCursor, type Position } from './position';
import type { StoppedBy } from './stopped-by';

/** What the position of the next page is read from. */
export interface PageFacts {
  /** Without secrets, as read; nothing where the answer is no JSON. */
  data: Json | undefined;
  records: readonly Json[];
  /** Records of the first page. */
  firstCount: number;
  /** Records of all pages so far. */
  readCount: number;
  /** Records in front of the place where the caller began. */
  skipped: number;
  /** `Link` header, without secrets. */
  link: string | undefined;
}

/** Where the next page begins, or why there is none. `warning`: what the source said of it and could not be read. */
export type Next = ({ position: Position } | { stoppedBy: StoppedBy }) & { warning?: string };

const END: Next = { stoppedBy: 'end' };

/** A link is still as the source wrote it. */
export function nextPosition(paging: Pagination, position: Position, facts: PageFacts): Next {
  switch (paging.type) {
    case 'page':
    case 'offset':
      return numbered(paging, position, facts);
    case 'cursor':
      return cursor(paging, facts);
    case 'keyset':
      return keys(paging, facts);
    case 'link_header':
      return linked(facts);
    case 'next_url':
      return nextAddress(paging, facts);
    default:
      return assertNever(paging.type);
  }
}

export function isEndSign({ ends_with: signs }: Pagination, sign: EndSign): boolean {
  return signs?.includes(sign) === true;
}

/**
 * What the source says of its total or of another page goes first. Else an empty page is certainly the last one; a short one, once a page was full, is
 * only where the definition says so: without its word the list ends there, and the end is called a guess.
 */
function numbered(paging: Pagination, position: Position, facts: PageFacts): Next {
  const { records, firstCount } = facts;
  const count = records.length;
  const value = position.at === 'number' ? position.value : paging.start;
  const next: Next = { position: { at: 'number', value: value + (paging.type === 'page' ? 1 : count) } };
  const word = saidOfMore(paging, facts);
  if (word?.more === true) return count === 0 ? { stoppedBy: 'below_total' } : next;
  if (word?.more === false) return END;
  const warning = word?.warning === undefined ? {} : { warning: word.warning };
  if (count === 0) return { ...END, ...warning };
  const isShort = paging.size !== undefined && firstCount >= paging.size && count < paging.size;
  if (isShort && isEndSign(paging, 'short_page')) return { ...END, ...warning };
  const isGuessed = isShort && paging.ends_with === undefined && word === undefined;
  return isGuessed ? { stoppedBy: 'short_page' } : { ...next, ...warning };
}

/** Nothing where the definition names no place for it; `more` absent where the source says nothing that can be read there. */
function saidOfMore(
  { total_path: totalPath, more_path: morePath }: Pagination,
  { data, readCount, skipped }: PageFacts,
): { more?: boolean; warning?: string } | undefined {
  const path = totalPath ?? morePath;
  if (path === undefined) return undefined;
  const found = read(data, path);
  if (found === undefined || found === null) return {};
  if (totalPath === undefined)
    return typeof found === 'boolean' ? { more: found } : { warning: unreadable(path, found) };
  const total = typeof found === 'string' && /^\d{1,15}$/.test(found.trim()) ? Number(found) : found;
  return typeof total === 'number' ? { more: readCount + skipped < total } : { warning: unreadable(path, found) };
}

/** Where a `hasNextPage` stands beside the cursor (as in GraphQL connections), `false` ends the list. */
function cursor(paging: Pagination, { data, records }: PageFacts): Next {
  const path = paging.cursor_path ?? '';
  const parent = read(data, parentOf(path));
  if (isJsonObject(parent) && ownField(parent, 'hasNextPage') === false) return END;
  const value = read(data, path);
  if (isCursor(value)) return { position: { at: 'cursor', value } };
  return withoutWord(path, { data, value, records });
}

/** Each key from the answer, else from the last record of the page. What is null or missing is not sent. */
function keys(paging: Pagination, { data, records }: PageFacts): Next {
  if (records.length === 0) return END;
  const values: JsonObject = {};
  let word: Next | undefined;
  for (const [parameter, path] of Object.entries(paging.keys ?? {})) {
    const found = read(data, path);
    const value = found === undefined ? read(records.at(-1), path) : found;
    if (isCursor(value)) values[parameter] = value;
    else word ??= withoutWord(path, { data, value, records });
  }
  if (Object.keys(values).length === 0) return word ?? END;
  const warning = word?.warning;
  return { position: { at: 'keys', values }, ...(warning === undefined ? {} : { warning }) };
}

/** A header without a readable link is a warning, not the end of the list. */
function linked({ link }: PageFacts): Next {
  const url = nextLink(link);
  if (url !== undefined && url !== '') return { position: { at: 'url', url } };
  if (link === undefined || link.trim() === '' || parseLinks(link).length > 0) return END;
  return { stoppedBy: 'unreadable', warning: `The header Link cannot be read: \`${link.slice(0, 60)}\`.` };
}

function nextAddress(paging: Pagination, { data, records }: PageFacts): Next {
  const path = paging.next_path ?? '';
  const value = read(data, path);
  if (typeof value === 'string' && value !== '') return { position: { at: 'url', url: value } };
  return withoutWord(path, { data, value, records });
}

interface Word {
  data: Json | undefined;
  value: Json | undefined;
  records: readonly Json[];
}

/**
 * No place of a next page. It is the end where the source says null, an empty text or `false`, and where it leaves out a field of a record that
 * is there; a path that leads nowhere at all may be mistyped, and anything else is no place.
 */
function withoutWord(path: string, { data, value, records }: Word): Next {
  if (records.length === 0 || value === null || value === '' || value === false) return END;
  if (value !== undefined) return { stoppedBy: 'unreadable', warning: unreadable(path, value) };
  return isThere(data, parentOf(path)) ? END : { stoppedBy: 'no_next' };
}

/** A record, or a null on the way to it. */
function isThere(data: Json | undefined, path: string): boolean {
  const found = read(data, path);
  if (found !== undefined) return typeof found === 'object';
  return read(data, parentOf(path)) === null;
}

function parentOf(path: string): string {
  return path.replace(/\.?[^.[\]]+$/, '');
}

function unreadable(path: string, found: Json): string {
  return `\`${path}\` of the answer cannot be read: \`${JSON.stringify(found).slice(0, 60)}\`.`;
}

/** An empty path is the value itself. */
function read(data: Json | undefined, path: string): Json | undefined {
  const segments = path === '' ? [] : parseDotPath(path);
  return segments === undefined ? undefined : readDotPath(data, segments);
}
