import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import type { Preview } from './state';

/**
 * Replay-sensitive. What an approver sees of a value: the first rows of its list, and how many there are. `newer`: whether
 * it is found beside other lists too, for runs that began before it was; asked only where that makes a difference.
 */
export function previewOf(value: Json | undefined, limit: number, newer: () => boolean = () => true): Preview {
  const rows = isJsonObject(value) ? listOf(value, newer) : value;
  if (Array.isArray(rows)) return { rows: rows.slice(0, limit), total: rows.length };
  return { rows: value ?? null, total: null };
}

/** Of a transform, and of a call or a model's records. */
const RECORDS = ['data', 'results'];

/** A whole result is shown by its only list, or by that of its records. */
function listOf(value: JsonObject, newer: () => boolean): Json {
  const lists = Object.values(value).filter((field) => Array.isArray(field));
  if (lists.length === 1) return lists[0] ?? value;
  const records = RECORDS.map((name) => ownField(value, name)).find((field) => Array.isArray(field));
  return records !== undefined && newer() ? records : value;
}
