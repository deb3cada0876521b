import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/base/canonical-json';
import type { Json } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';

/** Scope of a cursor: a list with its filters and its order. Another list or filter refuses it. */
export interface CursorScope {
  list: string;
  filters?: object;
}

/** Opaque to clients: the scope's digest, and where the next page begins. */
export function writeCursor(scope: CursorScope, position: readonly string[]): string {
  return Buffer.from(JSON.stringify([digestOf(scope), ...position])).toString('base64url');
}

/** The position, whose parts `fits` has to accept. Throws `invalid_cursor`. */
export function readCursor(
  scope: CursorScope,
  cursor: string,
  fits: readonly ((part: string) => boolean)[],
): readonly string[] {
  const [digest, ...position] = textsOf(cursor);
  if (
    digest !== digestOf(scope) ||
    position.length !== fits.length ||
    !fits.every((fit, n) => fit(position[n] ?? ''))
  ) {
    throw new AppError(
      'invalid_cursor',
      'This cursor does not come from a page of this list with these filters and this order. Leave it out to begin at the top.',
      { category: 'bad_request' },
    );
  }
  return position;
}

/** A place that is a text: any but one that PostgreSQL has no text for. */
export function isText(text: string): boolean {
  return !text.includes('\u0000');
}

/** A place that is a whole number that PostgreSQL has an integer for. */
export function isInteger(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}

function textsOf(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : [];
  } catch {
    return [];
  }
}

function digestOf({ list, filters = {} }: CursorScope): string {
  const text = canonicalJson([list, filters as Json]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
