import { isInteger, readCursor, writeCursor, type CursorScope } from '../../infra/db/stores/cursor';

/** Cursors of lists that no column orders: their place is one whole number, of no meaning to the client. */
export function writeNumberPlace(scope: CursorScope, at: number): string {
  return writeCursor(scope, [String(at)]);
}

/** Throws `invalid_cursor`. */
export function readNumberPlace(scope: CursorScope, cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  return Number(readCursor(scope, cursor, [isInteger])[0]);
}
