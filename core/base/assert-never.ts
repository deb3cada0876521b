import { AppError } from '../errors/app-error';

/**
 * Closes a `switch` over a union: the compiler refuses the call while a case is missing.
 * Reached at run time only by data that does not have its declared type; then it throws `internal_error`.
 */
export function assertNever(value: never, what = 'value'): never {
  const kind = typeof value === 'object' ? 'object' : String(value);
  throw new AppError(
    'internal_error',
    `Unexpected ${what}: ${kind}. This is a fault of the program, please report it.`,
    {
      category: 'internal',
    },
  );
}
