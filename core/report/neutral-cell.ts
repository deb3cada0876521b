import type { Json } from '../base/json';
import { jsonText } from '../base/json-text';

/**
 * Text that a spreadsheet may take for a formula (OWASP, CSV Injection; ASVS 1.2.10), also behind a mark that it drops.
 */
const FORMULA = /^(?:[\0\t\r\n]|\ufeff?[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** One number: a sign, digits with their separators, an exponent or a percent or currency sign. Nothing to calculate. */
const NUMBER = /^[+-] ?\p{Sc}?(?=[ .,]*\d)[\d.,' \u00a0\u202f]+(?:(?<=\d)e[+-]?\d+)?[%\p{Sc}]?$/iu;
/**
 * A phone number. Two groups of digits with only blanks or parentheses between them are no expression in any spreadsheet;
 * without such a pair, `+1-555-0100` would be a subtraction.
 */
const PHONE = /^\+(?=.*\d[ \u00a0()]+\d)[\d \u00a0()./-]+$/;

/**
 * A cell of a CSV file that no spreadsheet takes for a formula: text that begins like one gets a `'` in front, except plain
 * numbers and phone numbers, which hold nothing to calculate. Real numbers and booleans stay what they are.
 */
export function neutralCell(value: Json): string | number | boolean | null {
  const cell = plainCell(value);
  return typeof cell === 'string' && FORMULA.test(cell) && !NUMBER.test(cell) && !PHONE.test(cell) ? `'${cell}` : cell;
}

/** A value as one cell: numbers, booleans and texts as they are, lists and records as compact JSON text. */
export function plainCell(value: Json): string | number | boolean | null {
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : jsonText(value);
}
