import { ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import { withPointers } from './pointer';

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

/** Fields of a body have a place in it, parameters have not. */
class RequestPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    try {
      return (await super.transform(value, metadata)) as unknown;
    } catch (error) {
      throw metadata.type === 'body' && error instanceof AppError ? invalid(withPointers(error.problems)) : error;
    }
  }
}

function invalid(problems: Problem[]): AppError {
  return new AppError('invalid_request', 'The request has fields that are missing, unknown or of the wrong form.', {
    category: 'bad_request',
    problems,
  });
}

export function createValidationPipe(): ValidationPipe {
  return new RequestPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    transform: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => invalid(flatten(errors, '')),
  });
}
