import { applyDecorators } from '@nestjs/common';
import { IsObject, ValidateBy } from 'class-validator';

/** An object whose form is checked elsewhere; only its size is bounded (in characters of its JSON). */
export function IsDocument(maxLength: number): PropertyDecorator {
  return applyDecorators(
    IsObject(),
    ValidateBy({
      name: 'maxJson',
      validator: {
        validate: (value: unknown) => JSON.stringify(value ?? null).length <= maxLength,
        defaultMessage: () => `$property must not be longer than ${maxLength} characters as JSON`,
      },
    }),
  );
}
