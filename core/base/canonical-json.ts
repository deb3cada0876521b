import type { Json } from './json';
import { writeJson } from './json-writer';

/**
 * One text for equal values, as input of digests: keys sorted by code unit, no white space, numbers and strings
 * as `JSON.stringify` writes them (RFC 8785, JSON Canonicalization Scheme). Keys without a value are left out.
 */
export function canonicalJson(value: Json): string {
  return writeJson(value, true);
}
