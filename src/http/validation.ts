import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';

/** class-validator's tree as a flat list of located problems. */
function flatten(errors: ValidationError[], prefix: string): Problem[] {
  return errors.flatMap((error) => {
    const field = prefix === '' ? error.property : `${prefix}.${error.property}`;
    const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => problem(field, rule, message));
    return [...own, ...flatten(error.children ?? [], field)];
  });
}

function problem(field: string, rule: string, message: string): Problem {
  return rule === 'whitelistValidation'
    ? { severity: 'error', code: 'unknown_field', field, message: `"${field}" is not a field of this request.` }
    : { severity: 'error', code: 'invalid_field', field, message };
}

export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    transform: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) =>
      new AppError('invalid_request', 'The request has fields that are missing, unknown or of the wrong form.', {
        category: 'bad_request',
        problems: flatten(errors, ''),
      }),
  });
}
