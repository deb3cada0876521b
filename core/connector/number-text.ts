import { readNumber } from '../base/number-rule';

/** Sign, currency and sign around the digits; only one of the signs may be there. */
const FRAME = /^([-+\u2212]?)\s*[$€£¥]?\s*([-+\u2212]?)\s*([^$€£¥%]*?)\s*[$€£¥%]?$/;
/** Spaces that people put between thousands. */
const SPACES = /[\u0020\u00a0\u2009\u202f']/g;
const MAX_LENGTH = 64;

/**
 * The number that a text of a form or a table stands for: thousands separators only between groups of three, one
 * currency or percent sign, a minus as sign or as parentheses. Anything else is none: `1,2` is not twelve, and a number
 * that a double does not hold is not rounded to one.
 */
export function numberOfText(text: string, decimal: '.' | ','): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return undefined;
  const inner = trimmed.startsWith('(') && trimmed.endsWith(')') ? trimmed.slice(1, -1).trim() : undefined;
  const [, before = '', after = '', bare = ''] = FRAME.exec(inner ?? trimmed) ?? [];
  const sign = before + after + (inner === undefined ? '' : '-');
  const digits = withoutGroups(bare, decimal);
  if (sign.length > 1 || digits === undefined || !/^[\d.]/.test(digits)) return undefined;
  const value = readNumber(digits);
  if (typeof value !== 'number') return undefined;
  return sign !== '' && sign !== '+' && value !== 0 ? -value : value;
}

function withoutGroups(text: string, decimal: '.' | ','): string | undefined {
  const group = decimal === '.' ? ',' : '.';
  const point = text.indexOf(decimal);
  const whole = (point === -1 ? text : text.slice(0, point)).replace(SPACES, group);
  const rest = point === -1 ? '' : `.${text.slice(point + 1)}`;
  const parts = whole.split(group);
  if (parts.length > 1) {
    const [first = '', ...others] = parts;
    if (!/^\d{1,3}$/.test(first) || !others.every((part) => /^\d{3}$/.test(part))) return undefined;
  }
  return parts.join('') + rest;
}
