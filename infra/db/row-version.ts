import { AppError } from '../../core/errors/app-error';

/** A row that counts its changes: a trigger does (`af_next_version`), so that no statement can forget it. */
export interface VersionedRow {
  id: string;
  row_version: number;
}

/** A caller's condition on the version that they have seen: the tags of `If-Match`, any version, or nothing. */
export type SeenVersion = readonly string[] | 'any' | 'unsaid';

/** Names one version of one row. A row that was deleted and made again under the same name has another tag. */
export function versionTag({ id, row_version }: VersionedRow): string {
  return `${row_version}-${id}`;
}

/**
 * Compares the version of a locked row (`select … for update`) that exists: a missing row is 404, whatever the caller
 * has seen. Throws `precondition_required`, `precondition_failed`.
 */
export function checkSeen(row: VersionedRow, seen: SeenVersion): void {
  if (seen === 'unsaid') {
    throw new AppError(
      'precondition_required',
      'Send If-Match with the ETag of the version that you have seen, so that nobody’s change is lost; * stands for any version.',
      { category: 'precondition_required' },
    );
  }
  if (seen !== 'any' && !seen.includes(versionTag(row))) {
    throw new AppError(
      'precondition_failed',
      'This has changed since you read it. Read it again, then send your change with its new ETag in If-Match.',
      { category: 'precondition_failed' },
    );
  }
}
