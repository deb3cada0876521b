import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../core/base/json';

/** Number of steps of W1 and W4; step n adds field `f<n>` with value n. */
export const STEPS = 10;
/** Number of steps of W1 where the steps should cost more than the run around them. */
export const MANY_STEPS = 40;
/** Number of branches of W3. */
export const BRANCHES = 100;

const LINE = 'The quick brown fox jumps over the lazy dog; nothing here repeats what the line before it said. ';

/** About 1 KB of JSON, different for each number. */
export function smallDocument(no: number): JsonObject {
  return {
    id: `document-${no}`,
    title: `Document ${no}`,
    amount: no * 1.5,
    tags: ['a', 'b', 'c'],
    body: LINE.repeat(9),
  };
}

/** Number of records of 1 KB in a document of 1 MB, and in one of 10 MB. */
export const LARGE_RECORDS = 950;
export const HUGE_RECORDS = 10_500;

export function largeDocument(no: number, records: number): JsonObject {
  return { id: `large-${no}`, records: Array.from({ length: records }, (_each, at) => smallDocument(at)) };
}

/** The document as it must be after the steps from 1 to `last`. */
export function after(document: JsonObject, last: number): JsonObject {
  const fields = Array.from({ length: last }, (_each, at) => [`f${at + 1}`, at + 1] as const);
  return { ...document, ...Object.fromEntries(fields) };
}

/** Checks a run's result field by field: a figure counts only when the result is right. */
export function mustEqual(found: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(found, expected)) return;
  const text = JSON.stringify(found) ?? 'nothing';
  throw new Error(`${what}: the result is not what it must be: ${text.slice(0, 400)}`);
}
