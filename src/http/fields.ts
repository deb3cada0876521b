import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Max,
  Min,
  MinLength,
} from 'class-validator';

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

const TIME = /^(?!0000)\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** A time of RFC 3339 that is on the calendar: what PostgreSQL can compare. */
export function IsTime(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsISO8601({ strict: true }, { message: '$property must be a day of the calendar' }),
    Matches(TIME, {
      message:
        '$property must be a time with its zone, as 2026-01-31T09:30:00Z (in a query a + of the zone is sent as %2B)',
    }),
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

/** `true` or `false` in the query string. Anything else stays text, so that IsBoolean refuses it. */
export function IsQueryFlag(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'boolean', description }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: '$property must be true or false' }),
  );
}
