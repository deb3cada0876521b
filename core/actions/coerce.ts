import type { JsonObject } from '../base/json';
import { getContract } from './registry';
import type { FieldSpec } from './types';

/**
 * The conversions that validation promises: where an action expects a list of text, a single text is a list of one.
 * Everything else stays as it is.
 */
export function coerceInputs(action: string, inputs: JsonObject): JsonObject {
  return coerced(getContract(action)?.inputs ?? [], inputs);
}

/** The same for params. */
export function coerceParams(action: string, params: JsonObject): JsonObject {
  return coerced(getContract(action)?.params ?? [], params);
}

function coerced(specs: readonly FieldSpec[], values: JsonObject): JsonObject {
  const single = specs.filter(
    ({ name, type }) => type === 'string[]' && Object.hasOwn(values, name) && typeof values[name] === 'string',
  );
  if (single.length === 0) return values;
  return { ...values, ...Object.fromEntries(single.map(({ name }) => [name, [values[name] ?? null]])) };
}
