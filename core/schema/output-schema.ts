import type { OutputSchema, OutputSchemaField } from '../playbook/types';
import { described, listOf, typeSchema, type JsonSchema, type TypeSchema } from './json-schema';

export interface ResultSchema {
  /** Sent to the provider: every field required, no other fields, optional ones nullable. */
  wire: JsonSchema;
  /** True when a provider can enforce `wire` (no free-form object in it). */
  strict: boolean;
  /** Schema that a result must satisfy: an optional field may be absent or null; further fields are no fault. */
  check: JsonSchema;
}

/**
 * The JSON Schema of an `llm_task` result:
 * `object` → the object itself, `record_set` → `{results: [...]}`, `scalar` → `{value}`.
 */
export function resultSchema(output: OutputSchema): ResultSchema {
  const wire = rootSchema(output, WIRE);
  return { wire: wire.schema, strict: wire.closed, check: rootSchema(output, CHECK).schema };
}

interface Style {
  closeObjects: boolean;
  requireAll: boolean;
}
const WIRE: Style = { closeObjects: true, requireAll: true };
const CHECK: Style = { closeObjects: false, requireAll: false };

function rootSchema(output: OutputSchema, style: Style): TypeSchema {
  if (output.type === 'record_set') {
    const records = listOf(objectSchema(output.fields, style));
    return wrap('results', records, style);
  }
  if (output.type === 'scalar') {
    const field = output.fields[0];
    return wrap('value', field === undefined ? typeSchema('any') : fieldSchema(field, style), style);
  }
  return objectSchema(output.fields, style);
}

function wrap(name: string, inner: TypeSchema, style: Style): TypeSchema {
  const closing: JsonSchema = style.closeObjects ? { additionalProperties: false } : {};
  return {
    schema: { type: 'object', properties: { [name]: inner.schema }, required: [name], ...closing },
    closed: inner.closed,
  };
}

function objectSchema(fields: OutputSchemaField[], style: Style): TypeSchema {
  if (fields.length === 0) {
    return { schema: { type: 'object' }, closed: false };
  }
  const own = fields.map((field) => ({ field, ...fieldSchema(field, style) }));
  const properties = Object.fromEntries(
    own.map(({ field, schema }) => [field.name, field.required === false ? nullable(schema) : schema]),
  );
  const required = fields.filter((field) => style.requireAll || field.required !== false).map((field) => field.name);
  const closing: JsonSchema = style.closeObjects ? { additionalProperties: false } : {};
  return { schema: { type: 'object', properties, required, ...closing }, closed: own.every((entry) => entry.closed) };
}

function fieldSchema(field: OutputSchemaField, style: Style): TypeSchema {
  const record = field.fields === undefined ? undefined : objectSchema(field.fields, style);
  const own = typeSchema(field.type, record);
  return { schema: described(own.schema, field.description), closed: own.closed };
}

/** Strict modes know no absent field: an optional one is null. */
function nullable(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) {
    return schema;
  }
  return { anyOf: [schema, { type: 'null' }] };
}
