import type { JsonObject } from '../base/json';

/** A JSON Schema (2020-12) as plain JSON. */
export type JsonSchema = JsonObject;

/** Data types of fields, without the `[]` suffix. Whatever is not listed here accepts any JSON value. */
const SCALARS: Record<string, JsonSchema> = {
  string: { type: 'string' },
  text: { type: 'string' },
  entity_name: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string' },
  array: { type: 'array' },
};

const OBJECTS = new Set(['object', 'record', 'entity']);

export interface TypeSchema {
  schema: JsonSchema;
  /** True when every object in it names all its fields: only then can a provider enforce it strictly. */
  closed: boolean;
}

/**
 * Schema of a field type such as `string`, `date`, `integer[]`, `record_set`.
 * `record` gives the schema of the object types, where the caller knows the fields.
 */
export function typeSchema(type: string, record?: TypeSchema): TypeSchema {
  if (type.endsWith('[]')) {
    return listOf(typeSchema(type.slice(0, -2), record));
  }
  if (type === 'record_set' || type === 'list') {
    return listOf(record ?? { schema: {}, closed: false });
  }
  const scalar = Object.prototype.hasOwnProperty.call(SCALARS, type) ? SCALARS[type] : undefined;
  if (scalar !== undefined) {
    return { schema: { ...scalar }, closed: scalar['type'] !== 'array' };
  }
  if (record !== undefined) {
    return record;
  }
  return { schema: OBJECTS.has(type) ? { type: 'object' } : {}, closed: false };
}

export function listOf(item: TypeSchema): TypeSchema {
  return { schema: { type: 'array', items: item.schema }, closed: item.closed };
}

/** Adds a description without touching the given schema. */
export function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined || description === '' ? schema : { ...schema, description };
}
