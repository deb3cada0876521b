import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional as IsAbsentOrNull,
  IsString,
  Matches,
  MaxLength,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { isDate } from '../../core/base/calendar';

/** An optional field. Null is a value, and invalid: to mean nothing, leave the field out. */
export function IsOptional(): PropertyDecorator {
  return ValidateIf((_body, value: unknown) => value !== undefined);
}

/** A field in which null has a meaning of its own; the document calls it `nullable` and explains it. */
export function IsNullable(): PropertyDecorator {
  return IsAbsentOrNull();
}

const OPAQUE = Symbol('opaque');

/** An object of any fields, taken as it came: the validator would walk and copy all of it. Of a body's own fields alone. */
export function IsOpaqueObject(): PropertyDecorator {
  return applyDecorators(IsObject(), (body: object, field: string | symbol) => {
    Reflect.defineMetadata(OPAQUE, [...opaqueFields(body), field], body);
  });
}

/** Fields of a body of this form that are taken as they came. */
export function opaqueFields(body: object): (string | symbol)[] {
  return (Reflect.getMetadata(OPAQUE, body) ?? []) as (string | symbol)[];
}

/** An object with fields of its own. */
export function IsPart(type: () => new () => object): PropertyDecorator {
  return applyDecorators(IsObject(), ValidateNested(), Type(type));
}

/** Objects with fields of their own. The validator takes a list in the list for one whose objects all fit. */
export function IsPartList(type: () => new () => object): PropertyDecorator {
  const listAt = (value: unknown): number => (Array.isArray(value) ? value.findIndex(Array.isArray) : -1);
  return applyDecorators(
    IsArray(),
    ValidateBy({
      name: 'noListInside',
      validator: {
        validate: (value: unknown) => listAt(value) < 0,
        defaultMessage: (at) => `$property.${listAt(at?.value)} must be a JSON object`,
      },
    }),
    ValidateNested({ each: true }),
    Type(type),
  );
}

/** Compares ids of a list that must differ, in either case. Another rule refuses other values than texts. */
export function sameId(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

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

const TIME = /^\d{4}-\d\d-\d\d[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** An RFC 3339 time that exists in the calendar, so that PostgreSQL can compare it and the year comes back with four digits. */
export function IsTime(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Matches(TIME, {
      message:
        '$property must be a time with its zone, as 2026-01-31T09:30:00Z (in a query a + of the zone is sent as %2B)',
    }),
    ValidateBy({
      name: 'onCalendar',
      validator: {
        validate: (value: unknown) => typeof value !== 'string' || !TIME.test(value) || isOnCalendar(value),
        defaultMessage: () => '$property must be a day of the calendar, of the years 1 to 9999 in UTC',
      },
    }),
  );
}

function isOnCalendar(time: string): boolean {
  if (!isDate(time.slice(0, 10))) return false;
  const utc = new Date(time.toUpperCase().replace(' ', 'T'));
  return utc.getUTCFullYear() >= 1 && utc.getUTCFullYear() <= 9999;
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
