import type { FieldSpec } from '../../actions/types';
import type { Json, JsonObject } from '../../base/json';
import { isJsonObject } from '../../base/json';
import { typeName } from '../openapi/output-fields';
import type { EndpointSchema } from '../types';
import { typeOfValues } from './infer-type';

const MAX_RECORDS = 200;
const MAX_FIELDS = 300;
const MAX_DEPTH = 3;
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;

/** The schema that records show; nothing without a record that has fields. */
export function learnedSchema(records: readonly Json[], metadata: JsonObject): EndpointSchema | undefined {
  const objects = records.filter(isJsonObject).slice(0, MAX_RECORDS);
  const fields = fieldsOf(objects, 1);
  if (fields.length === 0) return undefined;
  // A single record stands in the result itself as well.
  const single = records.length === 1 && fields.every(({ name }) => Object.hasOwn(metadata, name));
  return { type: single ? 'object' : 'record_set', fields, metadata_fields: [] };
}

function fieldsOf(records: readonly JsonObject[], depth: number): FieldSpec[] {
  const columns = new Map<string, Json[]>();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const column = columns.get(name);
      if (column !== undefined) column.push(value);
      else if (columns.size < MAX_FIELDS && NAME.test(name)) columns.set(name, [value]);
    }
  }
  return [...columns].map(([name, values]) => fieldOf(name, values, depth));
}

function fieldOf(name: string, values: readonly Json[], depth: number): FieldSpec {
  const type = typeOfValues(values);
  if (type === 'array') {
    const elements = values.flatMap((value) => (Array.isArray(value) ? value : []));
    return elementField(name, elements, depth);
  }
  const nested = type === 'object' && depth < MAX_DEPTH ? fieldsOf(values.filter(isJsonObject), depth + 1) : [];
  return { name, type: typeName(type), ...(nested.length === 0 ? {} : { fields: nested }) };
}

function elementField(name: string, elements: readonly Json[], depth: number): FieldSpec {
  const type = elements.length === 0 ? 'any' : typeOfValues(elements);
  if (type !== 'object') return { name, type: type === 'array' ? 'any[]' : `${typeName(type)}[]` };
  const nested = depth < MAX_DEPTH ? fieldsOf(elements.filter(isJsonObject), depth + 1) : [];
  return { name, type: 'record[]', ...(nested.length === 0 ? {} : { fields: nested }) };
}
