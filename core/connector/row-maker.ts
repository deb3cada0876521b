import type { JsonObject } from '../base/json';

/**
 * Makes the records of one list, all of one shape from the start: each takes half the memory of one that grows. A field
 * called `__proto__` is data like any other.
 */
export function rowMaker(fields: readonly string[]): () => JsonObject {
  if (fields.includes('__proto__')) {
    return () => Object.create(null) as JsonObject;
  }
  const empty: JsonObject = Object.fromEntries(fields.map((field) => [field, null]));
  return () => ({ ...empty });
}
