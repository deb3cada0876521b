import { isJsonObject, type Json } from '../base/json';
import { isNumeric } from '../base/number-rule';
import { signatureOf } from './functions';
import { momentOf } from './functions/moment';
import type { ValueType } from './functions/entry';

/** Does each argument that is there fit what the function takes? */
export function fitsCall(name: string, args: readonly (Json | undefined)[]): boolean {
  const signature = signatureOf(name);
  return args.every((value, index) => {
    const parameter = signature?.parameters[index] ?? signature?.more;
    return value === undefined || value === null || parameter === undefined || fits(value, parameter.types);
  });
}

function fits(value: Json, types: readonly ValueType[]): boolean {
  return types.some((type) => isOfType(value, type));
}

function isOfType(value: Json, type: ValueType): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'text':
      return typeof value === 'string';
    case 'number':
      return isNumeric(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'date':
      return momentOf(value) !== undefined;
  }
}
