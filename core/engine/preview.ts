import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import { exceedsJsonSize } from '../base/json-size';
import type { Preview } from './state';

/** Bytes of JSON up to which all rows travel with a request. */
const WHOLE_BYTES = 65_536;

/**
 * Replay-sensitive. What an approver sees of a value: the first rows of its list, and how many there are. `newer`: whether
 * it is found beside other lists too, for runs that began before it was; asked only where that makes a difference.
 */
export function previewOf(value: Json | undefined, limit: number, newer: () => boolean = () => true): Preview {
  const rows = isJsonObject(value) ? listOf(value, newer) : value;
  if (Array.isArray(rows)) {
    const preview: Preview = { rows: rows.slice(0, limit), total: rows.length };
    // The other rows of an inline step are stored nowhere else while the request waits.
    return rows.length > limit && !exceedsJsonSize(rows, WHOLE_BYTES) ? { ...preview, all: rows } : preview;
  }
  return value === undefined ? { rows: null, total: null, missing: true } : { rows: value, total: null };
}

/** Fields with the records of a transform, of a call and of a model. */
const RECORDS = ['data', 'results'];

/** A whole result is shown by its only list, or by that of its records. */
function listOf(value: JsonObject, newer: () => boolean): Json {
  const lists = Object.values(value).filter((field) => Array.isArray(field));
  if (lists.length === 1) return lists[0] ?? value;
  const records = RECORDS.map((name) => ownField(value, name)).find((field) => Array.isArray(field));
  return records !== undefined && newer() ? records : value;
}
