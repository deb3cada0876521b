import type { Json } from '../../core/base/json';
import { pathOf } from '../../core/connector/field-rule';
import { parseDotPath, readDotPath } from '../../core/connector/path';
import type { ResponseMapping } from '../../core/connector/types';

/** Records with the fields that a mapping names; without one as they are. What is missing is null. */
export function mapRecords(mapping: ResponseMapping | undefined, records: Json[]): Json[] {
  const fields = Object.entries(mapping?.fields ?? {}).map(([name, rule]) => ({
    name,
    path: parseDotPath(pathOf(rule)),
  }));
  if (fields.length === 0) return records;
  return records.map((record) =>
    Object.fromEntries(
      fields.map(({ name, path }) => [name, (path === undefined ? undefined : readDotPath(record, path)) ?? null]),
    ),
  );
}
