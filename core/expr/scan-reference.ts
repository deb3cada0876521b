import { shorten } from '../base/shorten';
import { type Cursor, isDigit, isNamePart, isNameStart } from './cursor';
import { isForbiddenName } from './forbidden';
import { formatPath } from './format-reference';
import { MAX_DAYS, MAX_DEPTH } from './limits';
import { found, refused, type Scan, shown } from './scan';
import { scanString } from './scan-string';
import type { PathSegment, Reference } from './types';

const DIRECTIONS = ['_days_ago', '_days_ahead'];
const DOT = 46;
const OPEN = 91;
const CLOSE = 93;
const STAR = 42;
const MINUS = 45;
/** Longer indexes are refused before they lose precision as numbers. */
const MAX_INDEX_DIGITS = 9;

/** The longest reference that starts at the cursor; what follows it is the caller's business. */
export function scanReference(cursor: Cursor): Scan<Reference> {
  const offset = cursor.position;
  const root = isDigit(cursor.peek()) ? scanDays(cursor) : scanName(cursor, 'A reference');
  if (!root.ok) return root;
  const path: PathSegment[] = [];
  while (cursor.peek() === DOT || cursor.peek() === OPEN) {
    if (path.length === MAX_DEPTH) {
      return refused(cursor.position, `A reference has at most ${MAX_DEPTH} path segments.`);
    }
    const segment = cursor.peek() === DOT ? scanField(cursor) : scanBracket(cursor);
    if (!segment.ok) return segment;
    path.push(segment.value);
  }
  return found({ root: root.value, path, text: formatPath(root.value, path), offset });
}

/** `30_days_ago` and `30_days_ahead`: digits may start a root only here. */
function scanDays(cursor: Cursor): Scan<string> {
  const start = cursor.position;
  const days = cursor.takeWhile(isDigit);
  const hint = 'For example {30_days_ago} or {30_days_ahead}.';
  const direction = DIRECTIONS.find((word) => cursor.at(word) && !isNamePart(cursor.peek(word.length)));
  if (direction === undefined) {
    return refused(start, 'A name cannot start with a digit; only N_days_ago and N_days_ahead do.', hint);
  }
  if (days.length > 5 || Number(days) > MAX_DAYS || (days.length > 1 && days.startsWith('0'))) {
    return refused(start, `The number of days is a whole number from 0 to ${MAX_DAYS} without leading zeros.`, hint);
  }
  cursor.advance(direction.length);
  return found(days + direction);
}

function scanName(cursor: Cursor, what: string): Scan<string> {
  const start = cursor.position;
  if (!isNameStart(cursor.peek())) {
    return refused(start, `${what} starts with a letter or _, not with ${shown(cursor)}.`);
  }
  return allowed(cursor.takeWhile(isNamePart), start);
}

function allowed(name: string, offset: number): Scan<string> {
  if (!isForbiddenName(name)) return found(name);
  return refused(offset, `\`${name}\` can never be read: it is not data.`, 'Rename the field where the data is made.');
}

function scanField(cursor: Cursor): Scan<PathSegment> {
  cursor.advance();
  if (isDigit(cursor.peek())) {
    const start = cursor.position;
    const digits = cursor.takeWhile(isNamePart);
    return refused(
      start,
      'A field name behind a dot cannot start with a digit.',
      `Write [${Number.isSafeInteger(Number(digits)) ? digits : 0}] for an element of a list, ["${shorten(digits)}"] for a field.`,
    );
  }
  const name = scanName(cursor, 'A field name');
  return name.ok ? found({ kind: 'field', name: name.value }) : name;
}

function scanBracket(cursor: Cursor): Scan<PathSegment> {
  const start = cursor.position;
  cursor.advance();
  const segment = scanBracketContent(cursor);
  if (!segment.ok) return segment;
  if (cursor.peek() !== CLOSE) {
    return refused(start, `This bracket is not closed: ] was expected, not ${shown(cursor)}.`);
  }
  cursor.advance();
  return segment;
}

function scanBracketContent(cursor: Cursor): Scan<PathSegment> {
  const start = cursor.position;
  const unit = cursor.peek();
  if (unit === STAR) {
    cursor.advance();
    return found({ kind: 'each' });
  }
  if (unit === 34 || unit === 39) {
    const name = scanString(cursor);
    if (!name.ok) return name;
    const field = allowed(name.value, start);
    return field.ok ? found({ kind: 'field', name: field.value }) : field;
  }
  if (isDigit(unit)) return scanIndex(cursor);
  if (unit === MINUS) return scanIndexFromEnd(cursor);
  return refused(
    start,
    `[ is followed by an index, * or a quoted field name, not by ${shown(cursor)}.`,
    'For example [0], [-1], [*] or ["First name"]; a computed place is at({list}, {place}).',
  );
}

/** `[-1]` is the last element. */
function scanIndexFromEnd(cursor: Cursor): Scan<PathSegment> {
  const start = cursor.position;
  cursor.advance();
  const index = isDigit(cursor.peek()) ? scanIndex(cursor) : undefined;
  if (index === undefined)
    return refused(
      cursor.position,
      `A digit follows -, not ${shown(cursor)}.`,
      'For example [-1] for the last element.',
    );
  if (!index.ok || index.value.kind !== 'index') return index;
  if (index.value.index === 0)
    return refused(start, 'There is no element -0.', 'Write [-1] for the last element, [0] for the first.');
  return found({ kind: 'index', index: -index.value.index });
}

function scanIndex(cursor: Cursor): Scan<PathSegment> {
  const start = cursor.position;
  const digits = cursor.takeWhile(isDigit);
  if (digits.length > MAX_INDEX_DIGITS) {
    return refused(start, `An index has at most ${MAX_INDEX_DIGITS} digits.`);
  }
  return found({ kind: 'index', index: Number(digits) });
}
