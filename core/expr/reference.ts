import type { Json } from '../base/json';
import { Cursor } from './cursor';
import { formatPath } from './format-reference';
import { MAX_LENGTH } from './limits';
import { memoized } from './memo';
import { refused, shown } from './scan';
import { scanReference } from './scan-reference';
import type { ParseResult, PathSegment, Reference } from './types';
import { walk } from './walk';

/** Parses a reference written without braces: `pull.results[0].name`, `rows[*]["First name"]`, `30_days_ago`. */
export const parseReference: (text: string) => ParseResult<Reference> = memoized(parse);

function parse(text: string): ParseResult<Reference> {
  if (text.length > MAX_LENGTH) return refused(MAX_LENGTH, `A reference has at most ${MAX_LENGTH} characters.`);
  if (text.startsWith('{')) {
    return refused(0, 'A reference is written without braces here.', 'Leave out { and }.');
  }
  const cursor = new Cursor(text);
  const reference = scanReference(cursor);
  if (reference.ok && !cursor.done) {
    return refused(cursor.position, `A reference goes on with . or [ or ends, but here is ${shown(cursor)}.`);
  }
  return reference;
}

/**
 * The value that `path` leads to inside `value`; undefined when anything on the way is missing.
 * Own fields only; `__proto__`, `constructor` and `prototype` never resolve; lists and texts have no fields.
 * `[*]` projects a list: the result has its length, null where an element lacks the rest of the path.
 */
export function walkPath(value: Json | undefined, path: readonly PathSegment[]): Json | undefined {
  return walk(value, path);
}

/** Canonical text of a reference, without braces. Parsing it gives the same root and path. */
export function formatReference(reference: Pick<Reference, 'root' | 'path'>): string {
  return formatPath(reference.root, reference.path);
}
