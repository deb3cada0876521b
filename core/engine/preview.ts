import { isJsonObject, type Json, type JsonObject } from '../base/json';
import type { Preview } from './state';

/** Replay-sensitive. What an approver sees of a value: the first rows of its list, and how many there are. */
export function previewOf(value: Json | undefined, limit: number): Preview {
  const rows = isJsonObject(value) ? firstList(value) : value;
  if (Array.isArray(rows)) return { rows: rows.slice(0, limit), total: rows.length };
  return { rows: value ?? null, total: null };
}

/** A whole result is shown by its list of records, where it has exactly one. */
function firstList(value: JsonObject): Json {
  const lists = Object.values(value).filter((field) => Array.isArray(field));
  return lists.length === 1 ? (lists[0] ?? value) : value;
}
