import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import { safeRecord } from '../../../core/connector/fields';
import type { DotSegment } from '../../../core/connector/path';
import { parseDotPath, readDotPath } from '../../../core/connector/path';
import type { FileEndpoint, FileField, FileList } from '../../../core/connector/types';
import { convertJson } from './convert';
import { FileFault } from './file-fault';
import { parseJsonText } from './json-text';
import { carryFields, rowMaker, Warnings } from './parsed-file';
import type { ParsedFile } from './parsed-file';

/** Reads one JSON or JSON Lines text by the endpoint's dot paths. Throws FileFault. */
export function parseJsonFile(endpoint: FileEndpoint, text: string): ParsedFile {
  return readDocument(endpoint, parseJsonText(text));
}

/**
 * Records and groups of a document by dot paths. `list` is where the records lie when the endpoint says nothing:
 * the pages of a PDF, the lines of a filing.
 */
export function readDocument(endpoint: FileEndpoint, document: Json, list?: string): ParsedFile {
  const root = endpoint.root_element === undefined ? document : at(document, pathOf(endpoint.root_element));
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
  const records = rowsOf(own, root, warnings);
  const groups = safeRecord(
    Object.entries(endpoint.groups).map(([name, group]) => [name, rowsOf(group, root, warnings)] as const),
  );
  const first = where === undefined && records.length === 1 ? records[0] : undefined;
  return { records, groups: carryFields(endpoint, first, groups), warnings: warnings.list };
}

/** Without `list_element` a list gives its elements, anything else one record. */
function rowsOf(list: FileList, root: Json, warnings: Warnings): JsonObject[] {
  const found =
    list.list_element === undefined ? [root] : list.list_element.map((path) => at(root, pathOf(path)) ?? []);
  const items = found.flatMap((value) => (Array.isArray(value) ? value : [value]));
  if (list.fields.length === 0) {
    return items.map((item) => (isJsonObject(item) ? item : { value: item }));
  }
  const fields = list.fields.map((field) => ({ ...field, places: field.paths.map(pathOf) }));
  const newRow = rowMaker(list.fields.map((field) => field.field));
  return items.map((item) => {
    const row = newRow();
    for (const field of fields) {
      row[field.field] = valueOf(field, item, warnings);
    }
    return row;
  });
}

/** `names`: where every step of the path is a field, and of a name that no object has by birth. */
interface Path {
  segments: DotSegment[];
  names: string[] | undefined;
}

const NO_FIELDS = {};

/** Parsed once for a file, not once for a record. */
function pathOf(path: string): Path | undefined {
  const segments = parseDotPath(path);
  if (segments === undefined) {
    return undefined;
  }
  const names = segments.flatMap((step) => (step.kind === 'field' && !(step.name in NO_FIELDS) ? [step.name] : []));
  return { segments, names: names.length === segments.length ? names : undefined };
}

function valueOf(field: FileField & { places: (Path | undefined)[] }, item: Json, warnings: Warnings): Json {
  for (const path of field.places) {
    const found = at(item, path);
    if (found === undefined) {
      continue;
    }
    const joined = field.join !== undefined && Array.isArray(found) ? found.map(String).join(field.join) : found;
    const value = convertJson(joined, field.type);
    if (value === undefined) {
      warnings.mismatch(field.field, field.type, JSON.stringify(joined));
    }
    return value ?? null;
  }
  return null;
}

/** Most paths are names alone, and most steps of them lead through records. */
function at(value: Json, path: Path | undefined): Json | undefined {
  if (path?.names === undefined) {
    return path === undefined ? undefined : readDotPath(value, path.segments);
  }
  let current: Json | undefined = value;
  for (const name of path.names) {
    if (typeof current !== 'object' || current === null || Array.isArray(current)) {
      return readDotPath(value, path.segments);
    }
    // What is found is the record's own: no object is born with this name.
    current = current[name];
  }
  return current;
}
