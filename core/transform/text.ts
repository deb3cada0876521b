import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import { canonicalNumber } from '../base/number-rule';

/** Case folding without a locale; upper-casing first joins spellings such as `ß` and `SS`. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}

/** A name for comparison: compatibility forms joined, white space collapsed and trimmed, case folded. */
export function normaliseName(text: string): string {
  return foldCase(text.normalize('NFKC').replace(/\s+/gu, ' ').trim());
}

/**
 * An identifier for comparison: separators and case do not count, nor do the leading zeros of a number
 * (`20-0253310` and `200253310` are one EIN; JSON sources that write EINs as numbers lose the zeros).
 */
export function externalId(text: string): string {
  const bare = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
  return /^0+\d+$/.test(bare) ? bare.replace(/^0+(?=\d)/, '') : bare;
}

/** Texts of one number that the rule keeps as text are one text: `12345678901234567.50` as `12345678901234567.5`. */
export function canonicalSpelling(text: string, exact: ExactNumbers): string {
  const spelled = canonicalNumber(text);
  return spelled === text || !exact() ? text : spelled;
}

/** A scalar as text, for comparison of text and for join keys; lists, records and null have none. */
export function scalarText(value: Json, exact: ExactNumbers = EXACT): string | undefined {
  if (typeof value === 'string') {
    return canonicalSpelling(value, exact);
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
