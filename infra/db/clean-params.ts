import { cleanText } from '../../core/base/clean-text';

/** Cleans text parameters. JSON text passes unchanged: `JSON.stringify` writes both as escapes. */
export function cleanParams(params: unknown[]): unknown[] {
  return params.map((value) => {
    if (typeof value === 'string') {
      // The driver itself turns a lone surrogate into U+FFFD while it encodes.
      return value.includes('\u0000') ? cleanText(value) : value;
    }
    return Array.isArray(value) ? cleanParams(value) : value;
  });
}

/** A document for a `json` column or parameter, kept to the letter; `undefined` and null become SQL null. */
export function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/**
 * A parameter whose fields SQL takes apart. Documents inside it must be strings (`json(...)`): PostgreSQL cannot read
 * a field of a json value that contains \u0000 or a lone surrogate anywhere.
 */
export function fields(value: object | undefined): string | null {
  return value === undefined
    ? null
    : JSON.stringify(value, (_key, field: unknown) => (typeof field === 'string' ? cleanText(field) : field));
}
