import type { FieldSpec } from '../actions/types';
import { isJsonObject } from '../base/json';
import { described, typeSchema, type JsonSchema, type TypeSchema } from './json-schema';

/** JSON Schema of an object with these fields: what a tool call's arguments must look like. */
export function fieldsSchema(fields: readonly FieldSpec[]): JsonSchema {
  return objectOf(fields).schema;
}

function objectOf(fields: readonly FieldSpec[]): TypeSchema {
  const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]));
  const required = fields.filter((field) => field.required === true).map((field) => field.name);
  return { schema: { type: 'object', properties, required, additionalProperties: false }, closed: false };
}

function fieldSchema(field: FieldSpec): JsonSchema {
  const record = field.fields === undefined ? undefined : openObject(field.fields);
  const own = typeSchema(field.type, record).schema;
  const limited = field.enum === undefined ? own : withOptions(own, field.enum);
  const withDefault = field.default === undefined ? limited : { ...limited, default: field.default };
  return described(withDefault, field.description);
}

/** Options of a list are options of its elements. */
function withOptions(own: JsonSchema, options: readonly string[]): JsonSchema {
  if (own['type'] !== 'array') return { ...own, enum: [...options] };
  const items = isJsonObject(own['items']) ? own['items'] : {};
  return { ...own, items: { ...items, enum: [...options] } };
}

/** Nested records may carry fields that the contract does not name. */
function openObject(fields: readonly FieldSpec[]): TypeSchema {
  const { schema, closed } = objectOf(fields);
  return { schema: { ...schema, additionalProperties: true }, closed };
}
