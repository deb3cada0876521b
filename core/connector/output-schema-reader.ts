import type { FieldSpec } from '../actions/types';
import type { Fields } from './fields';
import { FIELD_TYPE, NAME } from './patterns';
import { type EndpointSchema, SCHEMA_KINDS } from './types';

/** `output_schema` of an endpoint. */
export function readOutputSchema(schema: Fields | undefined): EndpointSchema | undefined {
  if (schema === undefined) {
    return undefined;
  }
  const read = {
    type: schema.choice('type', SCHEMA_KINDS) ?? 'record_set',
    fields: readFields(schema, 'fields'),
    metadata_fields: readFields(schema, 'metadata_fields'),
  };
  schema.done();
  return read;
}

function readFields(schema: Fields, key: string): FieldSpec[] {
  const fields = schema.children(key).map(readField);
  const seen = new Set<string>();
  fields.forEach((field, index) => {
    if (field.name !== '' && seen.has(field.name)) {
      const message = `The field \`${field.name}\` is declared twice.`;
      schema.report.add([...schema.at(key), index, 'name'], 'duplicate_name', message);
    }
    seen.add(field.name);
  });
  return fields;
}

function readField(field: Fields): FieldSpec {
  const name = field.text('name', { required: true, ...NAME });
  const type = field.text('type', FIELD_TYPE);
  const description = field.text('description');
  const required = field.flag('required');
  const nested = readFields(field, 'fields');
  field.done();
  return {
    name: name ?? '',
    type: type ?? 'any',
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
    ...(nested.length === 0 ? {} : { fields: nested }),
  };
}
