import { AppError } from '../../../core/errors/app-error';

/** What a change of a row says beside its fields: the version that its author saw; absent = whatever it is now. */
export interface Seen {
  version?: number | undefined;
}

/** The row is there, but not as its author saw it. */
export function staleRow(what: string, now: number): AppError {
  return new AppError(
    'version_mismatch',
    `The ${what} was changed since: it is at version ${now}. GET it again and decide about what it is now.`,
    { category: 'conflict' },
  );
}
