import { shorten } from '../../core/base/shorten';
import { assertNever } from '../../core/base/assert-never';
import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject, ownField } from '../../core/base/json';
import { parseDotPath, readDotPath } from '../../core/connector/path';
import type { EndSign, Pagination } from '../../core/connector/paging-types';
import { nextLink, mayNameNext } from './link-header';
import { isCursor, type Position } from './position';
import type { StoppedBy } from './stopped-by';

/** Facts of a page from which the position of the next one is read. */
export interface PageFacts {
  /** Data without secrets, as read; undefined if the answer is no JSON. */
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

/**
 * Position of the next page, or why there is none. `warning`: a statement of the source that cannot be read or
 * believed.
 */
export type Next = ({ position: Position } | { stoppedBy: StoppedBy }) & {
  /** The source itself says that there is more: by its total, a flag, or a place where the next page begins. */
  isNamed?: true;
  warning?: string;
  /** Number of all records, as the source reports it. */
  total?: number;
  /** The statement on the total, or the flag, was there and could not be read. */
  isUnread?: true;
};

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
      return linked(paging, facts);
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
 * Position of a numbered list. The source's total or flag counts first. Else an empty page is certainly the last one; a
 * short page after a full one is certainly the last only where the definition says so, otherwise the end is called a
 * guess.
 */
function numbered(paging: Pagination, position: Position, facts: PageFacts): Next {
  const { records, firstCount } = facts;
  const count = records.length;
  const value = position.at === 'number' ? position.value : paging.start;
  const next: Next = { position: { at: 'number', value: value + (paging.type === 'page' ? 1 : count) } };
  const word = saidOfMore(paging, facts);
  const { more, ...said } = word ?? {};
  if (more === true) return { ...(count === 0 ? { stoppedBy: 'below_total' } : { ...next, isNamed: true }), ...said };
  if (more === false || count === 0) return { ...END, ...said };
  const isShort = paging.size !== undefined && firstCount >= paging.size && count < paging.size;
  if (isShort && isEndSign(paging, 'short_page')) return { ...END, ...said };
  const isGuessed = isShort && paging.ends_with === undefined && word === undefined;
  return isGuessed ? { stoppedBy: 'short_page' } : { ...next, ...said };
}

/** Tells whether the total, or the flag, of a numbered list says that there is more than was read. */
export function reportsMore(paging: Pagination, facts: PageFacts): boolean {
  return saidOfMore(paging, facts)?.more === true;
}

/**
 * Statement of a source on its total or another page; `more` is absent when it has none that can be read and believed.
 */
interface Said {
  more?: boolean;
  warning?: string;
  total?: number;
  isUnread?: true;
}

/** Reads that statement; undefined when the definition names no place for it. */
function saidOfMore(paging: Pagination, facts: PageFacts): Said | undefined {
  const path = paging.total_path ?? paging.more_path;
  if (path === undefined) return undefined;
  const found = read(facts.data, path);
  if (found === undefined || found === null) return {};
  if (paging.total_path !== undefined) return saidOfTotal(path, found, facts);
  return typeof found === 'boolean' ? { more: found } : unreadWord(path, found);
}

/** A total below what was read is none: such a list goes on to its empty page. One with `relation: gte` beside it (Elasticsearch) is a least one. */
function saidOfTotal(path: string, found: Json, { data, readCount, skipped, records }: PageFacts): Said {
  const total = typeof found === 'string' && /^\d{1,15}$/.test(found.trim()) ? Number(found) : found;
  if (typeof total !== 'number' || !Number.isInteger(total) || total < 0) return unreadWord(path, found);
  const known = readCount + skipped;
  if (known > total && records.length > 0)
    return { warning: `\`${path}\` of the answer says ${total}, and ${known} records were there.` };
  const isLeast = besides(data, path, 'relation') === 'gte';
  return isLeast && known >= total ? {} : { more: known < total, total };
}

/**
 * Position by cursor. A `hasNextPage` beside it (as in GraphQL connections) ends the list when it is `false`, and
 * contradicts itself when it is `true` without a cursor.
 */
function cursor(paging: Pagination, facts: PageFacts): Next {
  const path = paging.cursor_path ?? '';
  const more = besides(facts.data, path, 'hasNextPage');
  if (more === false) return END;
  const value = read(facts.data, path);
  const isKnown = more === undefined || more === null || more === true;
  const warning = isKnown ? {} : { warning: unreadableText('hasNextPage', more) };
  if (isCursor(value)) return { position: { at: 'cursor', value }, isNamed: true, ...warning };
  if (more !== true || !isNothing(value)) return { ...warning, ...withoutWord(path, { ...facts, paging, value }) };
  const where = value === undefined ? 'is not there' : `is ${JSON.stringify(value)}`;
  const contradiction = `\`hasNextPage\` beside \`${path}\` is true, and that ${where}.`;
  return { stoppedBy: 'contradiction', warning: contradiction };
}

/** Each key from the answer, else from the last record of the page. What is null or missing is not sent. */
function keys(paging: Pagination, facts: PageFacts): Next {
  const { data, records } = facts;
  if (records.length === 0) return END;
  const values: JsonObject = {};
  let word: Next | undefined;
  // A key of the last record is our own place, not the source's word.
  let isNamed = false;
  for (const [parameter, path] of Object.entries(paging.keys ?? {})) {
    const found = read(data, path);
    const value = found === undefined ? read(records.at(-1), path) : found;
    if (isCursor(value)) {
      values[parameter] = value;
      isNamed ||= found !== undefined;
    } else
      word ??=
        found === undefined
          ? keyless(path, { ...facts, paging, value })
          : withoutWord(path, { ...facts, paging, value });
  }
  if (Object.keys(values).length === 0) return word ?? END;
  const warning = word?.warning;
  const position: Position = { at: 'keys', values };
  return { position, ...(isNamed ? { isNamed } : {}), ...(warning === undefined ? {} : { warning }) };
}

/** A last record without its key ends no list: the source has said nothing. Behind a page that had one, it left out what it says of the next one. */
function keyless(path: string, word: Word): Next {
  const { value } = word;
  if (value !== undefined) return { stoppedBy: 'unreadable', warning: unreadableText(path, value, 'the last record') };
  return isFirst(word) && !path.includes('.') ? { stoppedBy: 'no_next' } : withoutWord(path, word);
}

/** A header without a readable link is a warning, not the end of the list. */
function linked(paging: Pagination, facts: PageFacts): Next {
  const { link } = facts;
  const url = nextLink(link);
  if (url !== undefined && url !== '') return { position: { at: 'url', url }, isNamed: true };
  if (link === undefined || link.trim() === '') return isFullFirst(paging, facts) ? { stoppedBy: 'no_next' } : END;
  if (url === undefined && !mayNameNext(link)) return END;
  return { stoppedBy: 'unreadable', warning: `The header Link cannot be read: \`${shorten(link)}\`.` };
}

function nextAddress(paging: Pagination, facts: PageFacts): Next {
  const path = paging.next_path ?? '';
  const value = read(facts.data, path);
  if (typeof value === 'string' && value !== '') return { position: { at: 'url', url: value }, isNamed: true };
  return withoutWord(path, { ...facts, paging, value });
}

interface Word extends PageFacts {
  paging: Pagination;
  value: Json | undefined;
}

/**
 * Decides whether an absent position is the end. It is the end if the source says null, an empty text or `false`, or
 * leaves out a field of an existing record, unless the very first page is full. A path that leads nowhere may be
 * mistyped; other values are no place.
 */
function withoutWord(path: string, word: Word): Next {
  const { data, value, records, paging } = word;
  if (!isNothing(value)) return { stoppedBy: 'unreadable', warning: unreadableText(path, value ?? null) };
  if (value !== undefined || records.length === 0) return END;
  return isHeld(data, path) && !isFullFirst(paging, word) ? END : { stoppedBy: 'no_next' };
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function isFirst({ records, readCount }: PageFacts): boolean {
  return readCount <= records.length;
}

/** True for a first page that is full: the path of the next page has not been proved right yet. */
function isFullFirst({ size }: Pagination, facts: PageFacts): boolean {
  return size !== undefined && size > 0 && isFirst(facts) && facts.records.length >= size;
}

/** True if the parent of the path's field exists: a record, or a null on the way to it. */
function isHeld(data: Json | undefined, path: string): boolean {
  const holder = parseDotPath(path)?.slice(0, -1);
  if (holder === undefined) return false;
  const found = readDotPath(data, holder);
  return found === undefined ? readDotPath(data, holder.slice(0, -1)) === null : typeof found === 'object';
}

/** Value of another field in the record that a path leads to. */
function besides(data: Json | undefined, path: string, name: string): Json | undefined {
  const holder = readDotPath(data, parseDotPath(path)?.slice(0, -1) ?? []);
  return isJsonObject(holder) ? ownField(holder, name) : undefined;
}

function unreadWord(path: string, found: Json): Said {
  return { warning: unreadableText(path, found), isUnread: true };
}

function unreadableText(path: string, found: Json, place = 'the answer'): string {
  return `\`${path}\` of ${place} cannot be read: \`${shorten(JSON.stringify(found))}\`.`;
}

function read(data: Json | undefined, path: string): Json | undefined {
  const segments = parseDotPath(path);
  return segments === undefined ? undefined : readDotPath(data, segments);
}
