import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import { exceedsJsonDepth } from '../../../core/base/json-depth';
import { safeRecord } from '../../../core/connector/fields';
import { parseDotPath, pathReader, type PathReader } from '../../../core/connector/path';
import { rowMaker } from '../../../core/connector/row-maker';
import type { FileEndpoint, FileField, FileList } from '../../../core/connector/types';
import { isUnexpectedAnswer } from '../../mapping/unexpected-answer';
import { convertJson, trimmed } from '../../../core/connector/convert';
import { FileFault } from '../file-fault';
import { nestedTooDeeply, parseJsonUnchecked } from './json-text';
import { carryFields, Warnings } from '../parsed-file';
import type { ParsedFile } from '../parsed-file';
import { absentField, fieldNamesOf, type SearchedList } from '../../kinds/files/unseen-fields';

/**
 * Reads one JSON or JSON Lines text by the endpoint's dot paths. Depth is checked on the values that are taken,
 * instead of walking over the whole text. Throws FileFault.
 */
export function parseJsonFile(endpoint: FileEndpoint, text: string): ParsedFile {
  return readDocument(endpoint, parseJsonUnchecked(text), { look: true });
}

interface Reading {
  /** Default path of the records: the pages of a PDF, the lines of a filing. */
  list?: string;
  /** Refuse values that are nested too deeply; left out where the document was checked before. */
  look?: boolean;
}

/** Records and groups of a document by dot paths. */
export function readDocument(endpoint: FileEndpoint, document: Json, { list, look = false }: Reading = {}): ParsedFile {
  const root = endpoint.root_element === undefined ? document : readerOf(endpoint.root_element)(document);
  if (root === undefined) {
    throw new FileFault(
      'root_not_found',
      `The file has no \`${endpoint.root_element}\`. Is it another kind of document?`,
      { line: 1, column: 1 },
    );
  }
  const warnings = new Warnings();
  const where = endpoint.list_element ?? (list === undefined ? undefined : [list]);
  const own: FileList = {
    fields: endpoint.fields,
    carry: [],
    ...(where === undefined ? {} : { list_element: where }),
  };
  const taking: Taking = { warnings, look, own: look, looked: [] };
  const records = rowsOf(own, root, taking);
  const groups = safeRecord(
    Object.entries(endpoint.groups).map(
      ([name, group]) => [name, rowsOf(group, root, { ...taking, own: false, group: name })] as const,
    ),
  );
  const first = where === undefined && records.length === 1 ? records[0] : undefined;
  return { records, groups: carryFields(endpoint, first, groups), warnings: warnings.list, looked: taking.looked };
}

/** Rows of a list without `list_element`: the elements of a list, or anything else as one record. */
function rowsOf(list: FileList, root: Json, taking: Taking): JsonObject[] {
  const found =
    list.list_element === undefined ? [root] : list.list_element.map((path) => readerOf(path)(root) ?? null);
  const items = itemsOf(found);
  if (taking.own && isOther(list, { found, items })) {
    const places = list.list_element ?? list.fields.flatMap(({ paths }) => paths);
    const shown = places.slice(0, 5).map((path) => `\`${path}\``);
    const what = shown.length === 0 ? 'is null' : `has none of ${shown.join(', ')}`;
    throw new FileFault('records_not_found', `The file ${what}. Is it another kind of document?`, {
      line: 1,
      column: 1,
    });
  }
  if (list.fields.length === 0) {
    if (taking.look) requireDepth(items);
    return items.map((item) => (isJsonObject(item) ? item : { value: item }));
  }
  const fields = list.fields.map(compiled);
  const newRow = rowMaker(list.fields.map((field) => field.field));
  const rows = items.map((item) => {
    const row = newRow();
    for (const { field, read } of fields) {
      const value = read(item, taking);
      // A new row has null in every field.
      if (value !== null) row[field] = value;
    }
    return row;
  });
  if (items.length > 0) taking.looked.push(lookedAt(list.fields, { items, rows, group: taking.group }));
  return rows;
}

/** Searches again for fields that are null in every row: they may be there as null, or in another type. */
function lookedAt(
  fields: readonly FileField[],
  { items, rows, group }: { items: readonly Json[]; rows: readonly JsonObject[]; group: string | undefined },
): SearchedList {
  const absent = fields
    .filter(({ field }) => rows.every((row) => row[field] === null))
    .filter(({ paths }) => {
      const readers = paths.map(readerOf);
      return !items.some((item) => readers.some((read) => read(item) !== undefined));
    })
    .map((field) => absentField(field, fieldNamesOf(items)));
  return { isTable: false, absent, ...(group === undefined ? {} : { group }) };
}

/** True for a document without the list or without any of the fields: sources report errors with status 200. */
function isOther(list: FileList, { found, items }: { found: readonly Json[]; items: readonly Json[] }): boolean {
  if (found.every((value) => value === null)) return true;
  const readers = list.fields.map(({ paths }) => paths.map(readerOf));
  const isThere = (each: PathReader[]): boolean => items.some((item) => each.some((read) => read(item) !== undefined));
  return items.length > 0 && isUnexpectedAnswer(readers, isThere);
}

/** Returns a single list without a copy: most lists lie in one place. */
function itemsOf(found: Json[]): Json[] {
  const [only] = found;
  return found.length === 1 && Array.isArray(only) ? only : found.flatMap((value) => value ?? []);
}

interface Taking {
  warnings: Warnings;
  look: boolean;
  /** The records that the file is read for: groups may be missing. */
  own: boolean;
  group?: string;
  looked: SearchedList[];
}

function requireDepth(value: Json): void {
  if (exceedsJsonDepth(value)) throw nestedTooDeeply();
}

interface Compiled {
  field: string;
  read: (item: Json, taking: Taking) => Json;
}

/** Made once for a list, not once for a record. */
function compiled(field: FileField): Compiled {
  const readers = field.paths.map(readerOf);
  const [first] = readers;
  const slowly = (item: Json, taking: Taking): Json => valueOf(field, readers, item, taking);
  if (first === undefined) return { field: field.field, read: slowly };
  return { field: field.field, read: quickly(field.type, first, slowly) };
}

/** Fast path: most values need neither check nor conversion. */
function quickly(type: FileField['type'], first: PathReader, slowly: Compiled['read']): Compiled['read'] {
  if (type === 'string') {
    return (item, taking) => {
      const found = first(item);
      return typeof found === 'string' ? trimmed(found) : slowly(item, taking);
    };
  }
  if (type !== 'number') return slowly;
  return (item, taking) => {
    const found = first(item);
    return typeof found === 'number' ? found : slowly(item, taking);
  };
}

function readerOf(path: string): PathReader {
  const segments = parseDotPath(path);
  return segments === undefined ? () => undefined : pathReader(segments);
}

function valueOf(field: FileField, readers: readonly PathReader[], item: Json, { warnings, look }: Taking): Json {
  for (const read of readers) {
    const found = read(item);
    if (found === undefined) {
      continue;
    }
    if (look) requireDepth(found);
    const joined = field.join !== undefined && Array.isArray(found) ? found.map(String).join(field.join) : found;
    const value = convertJson(joined, field.type);
    if (value === undefined) {
      warnings.mismatch(field.field, field.type, JSON.stringify(joined));
    }
    return value ?? null;
  }
  return null;
}
