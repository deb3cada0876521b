import { ApiPropertyOptional } from '@nestjs/swagger';

/** A field that may be any JSON value; without this the document would call it an object. */
export function ApiAnyJson(description?: string): PropertyDecorator {
  return ApiPropertyOptional({ anyOf: [{}], ...(description === undefined ? {} : { description }) });
}
