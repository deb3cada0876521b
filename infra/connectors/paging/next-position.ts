import { assertNever } from '../../../core/base/assert-never';
import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject, ownField } from '../../../core/base/json';
import { parseDotPath, readDotPath } from '../../../core/connector/path';
import type { Pagination } from '../../../core/connector/types';
import { nextLink } from './link-header';
import { isCursor, type Position } from './position';

/** What the position of the next page is read from. */
export interface PageFacts {
  /** Without secrets, as read; nothing where the answer is no JSON. */
  data: Json | undefined;
  records: readonly Json[];
  /** Records of the first page. */
  firstCount: number;
  /** `Link` header, without secrets. */
  link: string | undefined;
}

/** Where the next page begins; nothing when this was the last. A link is still as the source wrote it. */
export function nextPosition(paging: Pagination, position: Position, facts: PageFacts): Position | undefined {
  switch (paging.type) {
    case 'page':
    case 'offset':
      return numbered(paging, position, facts);
    case 'cursor':
      return cursor(paging, facts);
    case 'keyset':
      return keys(paging, facts);
    case 'link_header':
      return linked(nextLink(facts.link));
    case 'next_url':
      return linked(read(facts.data, paging.next_path));
    default:
      return assertNever(paging.type);
  }
}

/**
 * Only an empty page is certainly the last one: a source may give fewer records at once than it was asked for. Once a page was
 * full, though, the source keeps to the size, and a shorter page ends the list.
 */
function numbered(paging: Pagination, position: Position, { records, firstCount }: PageFacts): Position | undefined {
  const count = records.length;
  if (count === 0 || (paging.size !== undefined && firstCount >= paging.size && count < paging.size)) {
    return undefined;
  }
  const value = position.at === 'number' ? position.value : paging.start;
  return { at: 'number', value: value + (paging.type === 'page' ? 1 : count) };
}

/** Where a `hasNextPage` stands beside the cursor (as in GraphQL connections), `false` ends the list. */
function cursor(paging: Pagination, { data }: PageFacts): Position | undefined {
  const path = paging.cursor_path ?? '';
  const value = read(data, path);
  const parent = read(data, path.replace(/\.?[^.[\]]+$/, ''));
  const over = isJsonObject(parent) && ownField(parent, 'hasNextPage') === false;
  return isCursor(value) && !over ? { at: 'cursor', value } : undefined;
}

/** Each key from the answer, else from the last record of the page. What is null or missing is not sent. */
function keys(paging: Pagination, { data, records }: PageFacts): Position | undefined {
  if (records.length === 0) {
    return undefined;
  }
  const values: JsonObject = {};
  for (const [parameter, path] of Object.entries(paging.keys ?? {})) {
    const found = read(data, path);
    const value = found === undefined ? read(records.at(-1), path) : found;
    if (isCursor(value)) values[parameter] = value;
  }
  return Object.keys(values).length === 0 ? undefined : { at: 'keys', values };
}

function linked(url: Json | undefined): Position | undefined {
  return typeof url === 'string' && url !== '' ? { at: 'url', url } : undefined;
}

/** An empty path is the value itself. */
function read(data: Json | undefined, path: string | undefined): Json | undefined {
  const segments = path === undefined || path === '' ? [] : parseDotPath(path);
  return segments === undefined ? undefined : readDotPath(data, segments);
}
