import { AppError } from '../../core/errors/app-error';

/** A change without a field is a mistake of the caller. Throws `nothing_to_change`. */
export function checkChange(fields: readonly unknown[]): void {
  if (fields.some((field) => field !== undefined)) return;
  throw new AppError('nothing_to_change', 'The body names nothing to change. Send at least one of its fields.', {
    category: 'bad_request',
  });
}
