import type { Json, JsonObject } from '../../base/json';
import { isJsonObject } from '../../base/json';
import { FieldNames } from './field-names';
import { typeOfValues } from './infer-type';
import type { SampleField, SampleShape } from './shape';
import { MAX_FIELDS, MAX_RECORDS } from './shape';

/** Objects inside each other that are looked into. */
const MAX_DEPTH = 8;
/** Objects of a record whose fields become fields of their own. */
const MAX_FLAT = 3;
/** An object with more keys than this is a table of its own, its keys are data. */
const MAX_KEYS = 60;

/** Names that the result of a call has besides a single record's. */
export const RESULT_NAMES = ['results', 'count', 'status'];

/** Shape of a JSON sample; nothing where it holds no record. */
export function shapeOfJson(sample: Json): SampleShape | undefined {
  const found = listIn(sample) ?? (isJsonObject(sample) ? { path: [], items: [sample], single: true } : undefined);
  if (found === undefined) return undefined;
  const records = found.items.filter(isJsonObject);
  const columns = new Map<string, Column>();
  const unnamed = new Set<string>();
  for (const record of records.slice(0, MAX_RECORDS)) collect({ columns, unnamed }, record, []);
  const names = new FieldNames(found.single ? RESULT_NAMES : []);
  const list = dotPath(found.path);
  return {
    format: 'json',
    single: found.single,
    ...(list === undefined || found.path.length === 0 ? {} : { list }),
    records: records.length,
    fields: fieldsOf(columns, names),
    unnamed: [...unnamed],
  };
}

interface FoundList {
  path: string[];
  items: Json[];
  single: boolean;
}

/** The longest list of objects; of equal ones the first that is nearest to the top. Lists inside lists are data. */
function listIn(sample: Json): FoundList | undefined {
  let best: FoundList | undefined;
  let level: { value: Json; path: string[] }[] = [{ value: sample, path: [] }];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { value, path } of level) {
      if (Array.isArray(value) && value.some(isJsonObject)) {
        if (value.length > (best?.items.length ?? 0)) best = { path, items: value, single: false };
      } else if (isJsonObject(value)) {
        for (const [key, inner] of Object.entries(value).slice(0, 1000)) {
          if (segmentOf(key) !== undefined) next.push({ value: inner, path: [...path, key] });
        }
      }
    }
    level = next;
  }
  return best;
}

interface Column {
  path: string[];
  values: Json[];
}

interface Collected {
  columns: Map<string, Column>;
  unnamed: Set<string>;
}

function collect(into: Collected, value: JsonObject, path: readonly string[]): void {
  for (const [key, inner] of Object.entries(value)) {
    if (segmentOf(key) === undefined) {
      if (into.unnamed.size < 20) into.unnamed.add(key.slice(0, 60));
      continue;
    }
    const own = [...path, key];
    if (isJsonObject(inner) && own.length < MAX_FLAT && isRecord(inner)) {
      collect(into, inner, own);
      continue;
    }
    const id = JSON.stringify(own);
    const column = into.columns.get(id);
    if (column !== undefined) column.values.push(inner);
    else if (into.columns.size < MAX_FIELDS) into.columns.set(id, { path: own, values: [inner] });
  }
}

function isRecord(value: JsonObject): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.length <= MAX_KEYS;
}

/** A value that is an object in some records is described by its fields alone. */
function fieldsOf(columns: ReadonlyMap<string, Column>, names: FieldNames): SampleField[] {
  const all = [...columns.values()];
  const opened = new Set(
    all.flatMap(({ path }) => path.slice(0, -1).map((_part, at) => JSON.stringify(path.slice(0, at + 1)))),
  );
  return all
    .filter(({ path, values }) => !(opened.has(JSON.stringify(path)) && values.every((value) => value === null)))
    .map(({ path, values }) => ({
      field: names.nameFor(path),
      path: dotPath(path) ?? '',
      type: typeOfValues(values),
    }));
}

/** A path in the notation of mappings; nothing when a key cannot be written in it. */
export function dotPath(keys: readonly string[]): string | undefined {
  let path = '';
  for (const key of keys) {
    const segment = segmentOf(key);
    if (segment === undefined) return undefined;
    path += path === '' || segment.startsWith('[') ? segment : `.${segment}`;
  }
  return path;
}

function segmentOf(key: string): string | undefined {
  if (key === '' || key.trim() === '' || key.length > 200 || key.includes('"')) return undefined;
  return /[.[\]]/.test(key) ? `["${key}"]` : key;
}
