import type { MapReader } from './map-reader';
import type { OutputSchema, OutputSchemaField } from './types';

const SHAPES = ['object', 'record_set', 'scalar'] as const;
const BASE_TYPES = ['string', 'number', 'integer', 'boolean', 'date', 'object', 'record', 'any'];
const SCHEMA_TYPES: readonly string[] = BASE_TYPES.flatMap((type) => [type, `${type}[]`]);
const MAX_FIELD_DEPTH = 10;

/** A step without a schema gets an empty one; the rule `llm-output-schema` reports it. */
export function parseOutputSchema(reader: MapReader): OutputSchema {
  const schema = reader.map('output_schema');
  if (schema === undefined) return { type: 'object', fields: [] };
  schema.rejectUnknown(['type', 'fields'], '`output_schema`');
  return { type: schema.oneOf('type', SHAPES) ?? 'object', fields: parseFields(schema, 1) };
}

function parseFields(owner: MapReader, depth: number): OutputSchemaField[] {
  if (depth > MAX_FIELD_DEPTH) {
    owner.report({ code: 'too_deep', message: `Fields lie more than ${MAX_FIELD_DEPTH} levels deep here.` }, 'fields');
    return [];
  }
  const seen = new Set<string>();
  return owner.elements('fields', (field) => {
    field.rejectUnknown(['name', 'type', 'description', 'required', 'fields'], 'A field of a schema');
    const name = field.string('name', { required: true }) ?? '';
    if (seen.has(name)) {
      field.report({ code: 'duplicate_name', message: `The field \`${name}\` is declared twice.` }, 'name');
    }
    seen.add(name);
    return parseField(field, name, depth);
  });
}

function parseField(field: MapReader, name: string, depth: number): OutputSchemaField {
  const description = field.text('description');
  const required = field.boolean('required');
  return {
    name,
    type: field.oneOf('type', SCHEMA_TYPES) ?? 'any',
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
    ...(field.has('fields') ? { fields: parseFields(field, depth + 1) } : {}),
  };
}
