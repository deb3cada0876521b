import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject, ownField } from '../../core/base/json';
import { pathOf } from '../../core/connector/field-rule';
import { parseDotPath, readDotPath } from '../../core/connector/path';
import type { ResponseMapping } from '../../core/connector/types';

/** Flat records (of pages and feeds) as the mapping wants them; without `fields` they pass through. */
export function mapRecords(
  mapping: ResponseMapping | undefined,
  records: readonly JsonObject[],
): { records: JsonObject[]; notes: JsonObject } {
  const fields = Object.entries(mapping?.fields ?? {}).map(([name, rule]) => [name, pathOf(rule)] as const);
  const mapped = fields.length === 0 ? [...records] : records.map((record) => mapOne(fields, record));
  return { records: mapped, notes: {} };
}

function mapOne(fields: readonly (readonly [name: string, path: string])[], record: JsonObject): JsonObject {
  return Object.fromEntries(fields.map(([name, path]) => [name, valueAt(record, path) ?? null]));
}

function valueAt(record: Json, path: string): Json | undefined {
  const own = isJsonObject(record) ? ownField(record, path) : undefined;
  const segments = own === undefined ? parseDotPath(path) : undefined;
  return segments === undefined ? own : readDotPath(record, segments);
}
