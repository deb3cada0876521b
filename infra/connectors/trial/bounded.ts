import type { Json, JsonObject } from '../../../core/base/json';

const MOST_RECORDS = 20;
const RECORD_CHARS = 512 * 1024;
const METADATA_CHARS = 64 * 1024;

/** The first records, as many as an answer can show. */
export function firstRecords(records: readonly Json[]): Json[] {
  let left = RECORD_CHARS;
  return records.slice(0, MOST_RECORDS).filter((record) => {
    left -= JSON.stringify(record).length;
    return left >= 0;
  });
}

/** Fields of a result that are small enough to be shown beside its records. */
export function smallFields(metadata: JsonObject): JsonObject {
  let left = METADATA_CHARS;
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => {
      const size = JSON.stringify(value).length;
      const fits = size <= left;
      if (fits) left -= size;
      return fits;
    }),
  );
}
