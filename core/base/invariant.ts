import { AppError } from '../errors/app-error';

/**
 * States what must hold whatever the input is. A violation is a fault of the program, never of the user:
 * for bad input return a `Problem` or throw an `AppError` with its own code.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new AppError('internal_error', `${message} This is a fault of the program, please report it.`, {
      category: 'internal',
    });
  }
}
