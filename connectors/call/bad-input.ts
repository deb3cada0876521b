import { AppError } from '../../core/errors/app-error';

/** Refusal of an input that the caller gave. */
export function badInput(message: string, code = 'invalid_input'): AppError {
  return new AppError(code, message, { category: 'bad_request' });
}
