import type { Json, JsonObject } from '../../../core/base/json';
import { compareValues } from '../../../core/transform/compare';
import type { FileEndpoint } from '../../../core/connector/types';

/**
 * Marks on every row, those of groups too, whether its file is the edition that counts (`is_current`), and which file replaces it. A record
 * that does not say what it is an edition of stands for itself.
 */
export function markReplaced(
  { same, latest }: NonNullable<FileEndpoint['replaces']>,
  records: JsonObject[],
  groups: Iterable<readonly JsonObject[]>,
): void {
  const best = new Map<string, JsonObject>();
  for (const record of records) {
    const key = keyOf(record, same);
    if (key === undefined) continue;
    const known = best.get(key);
    if (known === undefined || isLater(record, known, latest)) best.set(key, record);
  }
  const ofFiles = new Map<Json | undefined, Json>();
  for (const record of records) {
    const current = best.get(keyOf(record, same) ?? '') ?? record;
    const other = current === record ? null : (current['file'] ?? null);
    const file = record['file_id'];
    // Rows of groups belong to a file: it counts where one of its records does.
    if (other === null || !ofFiles.has(file)) ofFiles.set(file, other);
    mark(record, other);
  }
  for (const rows of groups) for (const row of rows) mark(row, ofFiles.get(row['file_id']) ?? null);
}

function mark(row: JsonObject, replacedBy: Json): void {
  row['is_current'] = replacedBy === null;
  row['replaced_by'] = replacedBy;
}

/** Key of the record's editions; undefined when the record does not name it. */
function keyOf(record: JsonObject, same: readonly string[]): string | undefined {
  const values = same.map((field) => record[field] ?? null);
  return values.includes(null) ? undefined : JSON.stringify(values);
}

/** Compares the first field in which they differ, in the order of `sort`; null counts as the earliest. */
function isLater(one: JsonObject, other: JsonObject, latest: readonly string[]): boolean {
  for (const field of latest) {
    const [a, b] = [one[field] ?? null, other[field] ?? null];
    const order = a === null || b === null ? Number(a !== null) - Number(b !== null) : compareValues(a, b);
    if (order !== 0) return order > 0;
  }
  return false;
}
