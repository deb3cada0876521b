import { isJsonObject, ownField, type Json, type JsonObject } from '../../base/json';
import { isForbiddenName } from '../forbidden';
import type { WorkMeter } from '../work-meter';
import { present, type CallContext, type FunctionTable, type Value } from './entry';

export const OBJECTS: FunctionTable = [
  [
    'keys',
    {
      params: 'object: object',
      gives: 'list',
      example: 'keys({a.totals})',
      call: ([value], { meter }) => entriesOf(value, meter, Object.keys),
    },
  ],
  [
    'values',
    {
      params: 'object: object',
      gives: 'list',
      example: 'values({a.totals})',
      call: ([value], { meter }) => entriesOf(value, meter, Object.values),
    },
  ],
  [
    'merge',
    {
      params: 'object: object, ...more: object',
      gives: 'object',
      example: 'merge({a.defaults}, {a.given})',
      ignoresNulls: true,
      call: merge,
    },
  ],
  [
    'pick',
    {
      params: 'object: object, name: text|list, ...more: text',
      gives: 'object',
      example: "pick({a.record}, 'name', 'ein')",
      call: pick,
    },
  ],
];

function entriesOf(value: Value, meter: WorkMeter, list: (object: JsonObject) => Json[]): Json {
  if (!isJsonObject(value)) return null;
  const found = list(value);
  meter.use(found.length);
  return found;
}

/** Fields of all objects; of one name the last object's. Null where an argument is no object. */
function merge(args: readonly Value[], { meter }: CallContext): Json {
  const objects = present(args);
  if (objects.length === 0 || !objects.every((value): value is JsonObject => isJsonObject(value))) return null;
  const fields = objects.flatMap((object) => Object.entries(object));
  meter.use(fields.length);
  return objectOf(fields);
}

/** The fields of these names, in the order of the names; a name that the object lacks is left out. */
function pick([object, first, ...more]: readonly Value[], { meter }: CallContext): Json {
  const names = [...(Array.isArray(first) ? first : [first]), ...more];
  if (!isJsonObject(object) || !names.every((name): name is string => typeof name === 'string')) return null;
  meter.use(names.length);
  const fields: [string, Json][] = [];
  for (const name of names) {
    const value = ownField(object, name);
    if (value !== undefined) fields.push([name, value]);
  }
  return objectOf(fields);
}

/** Names that could never be read are left out: they would change the object instead of being a field. */
function objectOf(fields: readonly (readonly [string, Json])[]): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of fields) if (!isForbiddenName(name)) object[name] = value;
  return object;
}
