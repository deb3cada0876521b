import type { Json, JsonObject } from '../../../core/base/json';
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
    const known = best.get(key);
    if (known === undefined || isLater(record, known, latest)) best.set(key, record);
  }
  const replacedBy = new Map<Json | undefined, Json>();
  for (const record of records) {
    const current = best.get(keyOf(record, same)) ?? record;
    replacedBy.set(record['file_id'], current === record ? null : (current['file'] ?? null));
  }
  for (const rows of [records, ...groups]) {
    for (const row of rows) {
      const other = replacedBy.get(row['file_id']) ?? null;
      row['is_current'] = other === null;
      row['replaced_by'] = other;
    }
  }
}

function keyOf(record: JsonObject, same: readonly string[]): string {
  const values = same.map((field) => record[field] ?? null);
  return JSON.stringify(values.includes(null) ? [record['file_id'] ?? null] : values);
}

/** By the first field in which they differ; nothing is earlier than anything, false than true. */
function isLater(one: JsonObject, other: JsonObject, latest: readonly string[]): boolean {
  for (const field of latest) {
    const [a, b] = [rank(one[field]), rank(other[field])];
    if (a !== b) return a > b;
  }
  return false;
}

function rank(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'number'
    ? String(value).padStart(20, '0')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}
