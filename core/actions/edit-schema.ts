import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { getContract } from './registry';
import type { FieldSpec } from './types';

/**
 * JSON Schema of what a person may give in place of a step's inputs: the inputs of the action's contract, and those that
 * the step itself has. Undefined for an action without a contract.
 */
export function editSchema(action: string, inputs: Json): JsonObject | undefined {
  const contract = getContract(action);
  if (!contract) return undefined;
  const named = contract.inputs.map((field) => [field.name, fieldSchema(field)] as const);
  const known = new Set(contract.inputs.map((field) => field.name));
  const given = isJsonObject(inputs) ? Object.keys(inputs) : [];
  const open = given.filter((name) => !known.has(name)).map((name) => [name, {}] as const);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries([...named, ...open]) };
}

const SCALARS: { [type: string]: JsonObject | undefined } = {
  string: { type: 'string' },
  date: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  record: { type: 'object' },
};

/** Schema of one field, by its type and its options. */
export function fieldSchema(field: FieldSpec): JsonObject {
  if (field.type.endsWith('[]') || field.type === 'record_set' || field.type === 'list') return { type: 'array' };
  const base = SCALARS[field.type] ?? {};
  return field.enum ? { ...base, enum: field.enum } : base;
}
