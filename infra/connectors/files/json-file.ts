import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import { exceedsJsonDepth, MAX_DATA_DEPTH } from '../../../core/base/json-depth';
import { safeRecord } from '../../../core/connector/fields';
import { parseDotPath, readDotPath } from '../../../core/connector/path';
import type { FileEndpoint, FileField, FileList } from '../../../core/connector/types';
import { convertJson } from './convert';
import { FileFault } from './file-fault';
import { carryFields, Warnings } from './parsed-file';
import type { ParsedFile } from './parsed-file';

/** Reads one JSON text by the endpoint's dot paths. Throws FileFault. */
export function parseJsonFile(endpoint: FileEndpoint, text: string): ParsedFile {
  const document = parseJson(text);
  const root = endpoint.root_element === undefined ? document : at(document, endpoint.root_element);
  if (root === undefined) {
    throw new FileFault(
      'root_not_found',
      `The file has no \`${endpoint.root_element}\`. Is it another kind of document?`,
      { line: 1, column: 1 },
    );
  }
  const warnings = new Warnings();
  const own: FileList = {
    fields: endpoint.fields,
    carry: [],
    ...(endpoint.list_element === undefined ? {} : { list_element: endpoint.list_element }),
  };
  const records = rowsOf(own, root, warnings);
  const groups = safeRecord(
    Object.entries(endpoint.groups).map(([name, group]) => [name, rowsOf(group, root, warnings)] as const),
  );
  const first = endpoint.list_element === undefined && records.length === 1 ? records[0] : undefined;
  return { records, groups: carryFields(endpoint, first, groups), warnings: warnings.list };
}

function parseJson(text: string): Json {
  const clean = text.startsWith('\ufeff') ? text.slice(1) : text;
  let data: Json;
  try {
    data = JSON.parse(clean) as Json;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /position (\d+)/.exec(message)?.[1];
    throw new FileFault(
      'malformed_json',
      `The file is not JSON: ${message.slice(0, 200)}.`,
      placeOf(clean, at === undefined ? clean.length : Number(at)),
    );
  }
  if (exceedsJsonDepth(data)) {
    throw new FileFault('malformed_json', `The JSON is nested deeper than ${MAX_DATA_DEPTH} levels.`);
  }
  return data;
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Without `list_element` a list gives its elements, anything else one record. */
function rowsOf(list: FileList, root: Json, warnings: Warnings): JsonObject[] {
  const found = list.list_element === undefined ? [root] : list.list_element.map((path) => at(root, path) ?? []);
  return found
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .map((item) => rowOf(list.fields, item, warnings));
}

function rowOf(fields: FileField[], item: Json, warnings: Warnings): JsonObject {
  if (fields.length === 0) {
    return isJsonObject(item) ? item : { value: item };
  }
  return Object.fromEntries(fields.map((field) => [field.field, valueOf(field, item, warnings)]));
}

function valueOf(field: FileField, item: Json, warnings: Warnings): Json {
  for (const path of field.paths) {
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

function at(value: Json, path: string): Json | undefined {
  const segments = parseDotPath(path);
  return segments === undefined ? undefined : readDotPath(value, segments);
}
