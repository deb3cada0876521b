import { AppError } from '../../core/errors/app-error';

/**
 * Cursors of lists that are ordered by something else than time: the place as JSON, of no meaning to the client. `kind` says
 * which list it belongs to. Throws `invalid_cursor`.
 */
export function writePlace(kind: string, place: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify([kind, ...place])).toString('base64url');
}

export function readPlace(kind: string, cursor: string | undefined): (string | number | null)[] | undefined {
  if (cursor === undefined) return undefined;
  const [of, ...place] = parse(cursor);
  const known = place.every((part) => part === null || typeof part === 'string' || Number.isSafeInteger(part));
  if (of !== kind || place.length === 0 || !known) throw invalidCursor();
  return place as (string | number | null)[];
}

/** A place that is one whole number. */
export function readNumberPlace(kind: string, cursor: string | undefined): number | undefined {
  const place = readPlace(kind, cursor);
  if (place === undefined) return undefined;
  const [at] = place;
  if (place.length !== 1 || typeof at !== 'number' || at < 0) throw invalidCursor();
  return at;
}

/** A place that is texts and nothing else, so many of them. */
export function readTextPlace(kind: string, cursor: string | undefined, parts: number): string[] | undefined {
  const place = readPlace(kind, cursor);
  if (place === undefined) return undefined;
  if (place.length !== parts || !place.every((part) => typeof part === 'string')) throw invalidCursor();
  return place;
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

export function invalidCursor(): AppError {
  return new AppError(
    'invalid_cursor',
    'This cursor does not come from a page of this list. Leave it out to begin at the top.',
    { category: 'bad_request' },
  );
}
