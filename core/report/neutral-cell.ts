import type { Json } from '../base/json';
import { jsonText } from '../base/json-text';

/**
 * A cell that no spreadsheet takes for a formula: text that starts with `=`, `+`, `-`, `@`, tab or a line break
 * (also in their full-width forms) gets a `'` in front (OWASP, CSV Injection). Real numbers and booleans stay
 * what they are; lists and records become compact JSON text.
 */
export function neutralCell(value: Json): string | number | boolean | null {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  const text = typeof value === 'string' ? value : jsonText(value);
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
}
