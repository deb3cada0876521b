import type { Json, JsonObject } from '../../core/base/json';

const MOST_RECORDS = 20;
const RECORD_CHARS = 512 * 1024;
const METADATA_CHARS = 64 * 1024;

/** Part of a result that an answer leaves out, so that nobody takes the shown part for all. */
export interface LeftOut {
  /** `records`, `groups.<name>`, or `metadata.<field>`. */
  part: string;
  /** Rows that are shown. */
  shown: number;
  /** Rows, of a record its fields; absent of a single value. */
  of?: number;
}

/** The first records, each of them whole, and the first one always. */
export function firstRecords(records: readonly Json[]): Json[] {
  let left = RECORD_CHARS;
  const large = records.slice(0, MOST_RECORDS).findIndex((record, index) => {
    left -= JSON.stringify(record).length;
    return left < 0 && index > 0;
  });
  return records.slice(0, large < 0 ? MOST_RECORDS : large);
}

export interface ShownFields {
  shown: JsonObject;
  leftOut: LeftOut[];
}

/** Fields of a result that are small enough to be shown beside its records; the others are named. */
export function shownFields(metadata: JsonObject): ShownFields {
  let left = METADATA_CHARS;
  const shown: [string, Json][] = [];
  const leftOut: LeftOut[] = [];
  for (const [name, value] of Object.entries(metadata)) {
    const size = JSON.stringify(value).length;
    if (size <= left) {
      left -= size;
      shown.push([name, value]);
    } else leftOut.push({ part: `metadata.${name}`, shown: 0, ...countOf(value) });
  }
  return { shown: Object.fromEntries(shown), leftOut };
}

function countOf(value: Json): { of?: number } {
  return typeof value === 'object' && value !== null ? { of: Object.keys(value).length } : {};
}
