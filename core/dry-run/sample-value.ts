import type { FieldSpec } from '../actions/types';
import type { Json } from '../base/json';
import { elementType, isList, shapeOf, type Shape } from '../validate/shape';

/** Fields inside fields: a contract that describes itself must come to an end. */
const MOST_LEVELS = 8;

/** Makes a value of a shape in place of a result: one element in every list, every known field filled. */
export function sampleOf(shape: Shape, name = 'value', level = 0): Json {
  if (level > MOST_LEVELS) return null;
  const { type, fields } = shape;
  if (isList(type)) return [sampleOf({ ...shape, type: elementType(type) }, name, level + 1)];
  if (type === 'record_set') return [record(fields ?? [], level)];
  const scalar = scalarOf(type, name);
  return scalar === undefined ? record(fields ?? [], level) : scalar;
}

function record(fields: readonly FieldSpec[], level: number): Json {
  return Object.fromEntries(
    fields.map((field) => [field.name, field.enum?.[0] ?? sampleOf(shapeOf(field), field.name, level + 1)]),
  );
}

/** Undefined: a record under whatever name. */
function scalarOf(type: string, name: string): Json | undefined {
  switch (type) {
    case 'any':
      return null;
    case 'string':
    case 'text':
    case 'entity_name':
      return `sample ${name}`;
    case 'date':
      return '2026-01-01';
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      // Made-up results have no failures in them.
      return /failed|error/.test(name) ? 0 : 1;
    default:
      return undefined;
  }
}
