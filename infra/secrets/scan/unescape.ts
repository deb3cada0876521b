import { entityPoint } from './entities';

/** Characters with the place in the source at which each begins; `at[length]` is where the last one ends. */
export interface Units {
  codes: Uint16Array;
  at: Int32Array;
  length: number;
}

export function newUnits(capacity: number): Units {
  return { codes: new Uint16Array(capacity), at: new Int32Array(capacity + 1), length: 0 };
}

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const UPPER_U = 0x55;
const LOWER_X = 0x78;
const SEMICOLON = 0x3b;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
/** Limit above the leading zeros that any encoder writes. */
const MOST_DIGITS = 12;
const LAST_POINT = 0x10ffff;
/** Characters that a whole escape takes, at most: `&DiacriticalGrave;`. */
const LONGEST_ESCAPE = 20;
const MOST_COPIED_ONE_BY_ONE = 32;

function isLead(code: number): boolean {
  return code === PERCENT || code === AMPERSAND || code === BACKSLASH;
}

function nextLead(codes: Uint16Array, from: number, length: number): number {
  let i = from;
  while (i < length && !isLead(codes[i] ?? 0)) i += 1;
  return i;
}

function copy(from: Units, begin: number, end: number, to: Units, written: number): void {
  if (end - begin > MOST_COPIED_ONE_BY_ONE) {
    to.codes.set(from.codes.subarray(begin, end), written);
    to.at.set(from.at.subarray(begin, end), written);
    return;
  }
  for (let i = begin; i < end; i += 1) {
    to.codes[written + i - begin] = from.codes[i] ?? 0;
    to.at[written + i - begin] = from.at[i] ?? 0;
  }
}

/** Characters behind a backslash, with their meaning: those of JSON, JavaScript and C. */
export const ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '"': '"', "'": "'", '`': '`', '/': '/' })
    .concat([['\\', '\\']])
    .map(([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)] as const),
);

/**
 * Takes away one layer of escapes: percent (`%41`, UTF-8 or Latin-1, `%u0041`), HTML entities (named, decimal, hex) and
 * backslashes (`\n`, `\u0041`, `\U00000041`, `\u{41}`, `\x41`). What is no whole escape stays as it is. One pass, no backtracking.
 */
export class Unescaper {
  /** True when the output of the last call may hold new escapes. */
  mayGoOn = false;
  private from: Units = newUnits(0);
  private point = 0;

  /** Writes into `to`, which is at least as large. False where there was nothing to take away. */
  decode(from: Units, to: Units): boolean {
    this.from = from;
    this.mayGoOn = false;
    const { codes, at, length } = from;
    let written = 0;
    let changed = false;
    let lead = -LONGEST_ESCAPE;
    for (let i = 0; i < length;) {
      const next = nextLead(codes, i, length);
      copy(from, i, next, to, written);
      written += next - i;
      if (next === length) break;
      i = next;
      const used = this.escape(codes[i] ?? 0, i);
      to.at[written] = at[i] ?? 0;
      if (used === 0) {
        lead = written;
        to.codes[written++] = codes[i++] ?? 0;
        continue;
      }
      changed = true;
      this.mayGoOn ||= written - lead < LONGEST_ESCAPE || isLead(this.point);
      written = this.put(to, written);
      i += used;
    }
    to.at[written] = at[length] ?? 0;
    to.length = written;
    return changed;
  }

  private put(to: Units, written: number): number {
    if (this.point <= 0xffff) {
      to.codes[written] = this.point;
      return written + 1;
    }
    to.codes[written] = 0xd800 + ((this.point - 0x10000) >> 10);
    to.codes[written + 1] = 0xdc00 + ((this.point - 0x10000) & 0x3ff);
    to.at[written + 1] = to.at[written] ?? 0;
    return written + 2;
  }

  /** Length of the escape at `i` in units; 0 = it is none. Its character is in `point`. */
  private escape(code: number, i: number): number {
    if (code === PERCENT) return this.percent(i);
    return code === BACKSLASH ? this.backslash(i) : this.entity(i);
  }

  private percent(i: number): number {
    if (this.code(i + 1) === LOWER_U) return this.hex(i + 2, 4) ? 6 : 0;
    if (!this.hex(i + 1, 2)) return 0;
    const first = this.point;
    const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4) return 3;
    let point = first & (0x3f >> more);
    for (let no = 1; no <= more; no += 1) {
      const at = i + no * 3;
      if (this.code(at) !== PERCENT || !this.hex(at + 1, 2) || (this.point & 0xc0) !== 0x80) {
        this.point = first;
        return 3;
      }
      point = (point << 6) | (this.point & 0x3f);
    }
    this.point = Math.min(point, LAST_POINT);
    return (more + 1) * 3;
  }

  private backslash(i: number): number {
    const next = this.code(i + 1);
    if (next === LOWER_U) {
      if (this.code(i + 2) !== BRACE) return this.hex(i + 2, 4) ? 6 : 0;
      const digits = this.digits(i + 3, 16);
      return digits > 0 && this.code(i + 3 + digits) === BRACE_END ? digits + 4 : 0;
    }
    if (next === LOWER_X) return this.hex(i + 2, 2) ? 4 : 0;
    if (next === UPPER_U) return this.hex(i + 2, 8) && this.point <= LAST_POINT ? 10 : 0;
    const meant = ESCAPES.get(next);
    if (meant === undefined) return 0;
    this.point = meant;
    return 2;
  }

  private entity(i: number): number {
    if (this.code(i + 1) !== 0x23) return this.named(i);
    const isHex = (this.code(i + 2) | 0x20) === LOWER_X;
    const start = i + (isHex ? 3 : 2);
    const digits = this.digits(start, isHex ? 16 : 10);
    if (digits === 0) return 0;
    const end = start + digits;
    return (this.code(end) === SEMICOLON ? end + 1 : end) - i;
  }

  private named(i: number): number {
    const found = entityPoint((offset) => this.code(i + 1 + offset));
    if (found === undefined) return 0;
    this.point = found.point;
    return found.length + 1;
  }

  /** Exactly `count` hexadecimal digits into `point`. */
  private hex(at: number, count: number): boolean {
    let value = 0;
    for (let no = 0; no < count; no += 1) {
      const digit = digitOf(this.code(at + no));
      if (digit > 15) return false;
      value = value * 16 + digit;
    }
    this.point = value;
    return true;
  }

  /** Reads all digits into `point`; 0 where they mean no character. */
  private digits(at: number, base: 10 | 16): number {
    let value = 0;
    let count = 0;
    for (; count < MOST_DIGITS; count += 1) {
      const digit = digitOf(this.code(at + count));
      if (digit >= base) break;
      value = value * base + digit;
    }
    this.point = value;
    return value > LAST_POINT ? 0 : count;
  }

  private code(i: number): number {
    return i < this.from.length ? (this.from.codes[i] ?? 0) : 0;
  }
}

/** Value of a hexadecimal digit; above 15 for other characters. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 99;
}
