import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Matches, MaxLength, Max, Min, MinLength } from 'class-validator';

/** Text for a text column: bounded, and without the one character that PostgreSQL cannot store. */
export function IsText(maxLength: number, minLength = 0): PropertyDecorator {
  return applyDecorators(
    IsString(),
    MinLength(minLength),
    MaxLength(maxLength),
    // eslint-disable-next-line no-control-regex
    Matches(/^[^\u0000]*$/u, { message: '$property must not contain a NUL character' }),
  );
}

/** A whole number in the query string. Anything else stays text, so that IsInt refuses it. */
export function IsQueryInt(min: number, max: number): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
    ),
    IsInt(),
    Min(min),
    Max(max),
  );
}
