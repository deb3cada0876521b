import type { Json, JsonObject } from '../../core/base/json';
import { ownField } from '../../core/base/json';
import { valueFault } from '../../core/connector/types/rest-parameters';
import type { Parameter } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { convertJson } from './files/convert';

/** Values of declared parameters by name; those without a value are left out. Throws `invalid_input` with all faults. */
export function boundInputs(parameters: readonly Parameter[], inputs: JsonObject): Map<string, Json> {
  const values = new Map<string, Json>();
  const faults: string[] = [];
  for (const parameter of parameters) {
    const value = ownField(inputs, parameter.name) ?? parameter.default;
    if (value === undefined || value === null) {
      if (parameter.required) faults.push(`\`${parameter.name}\` is missing`);
      continue;
    }
    // Numbers written as text, and the reverse, are what playbooks carry between steps.
    const converted = convertJson(value, parameter.type) ?? value;
    const fault = valueFault(converted, parameter.type, parameter.enum);
    if (fault === undefined) values.set(parameter.name, converted);
    else faults.push(`\`${parameter.name}\` ${fault}`);
  }
  const known = parameters.map((parameter) => parameter.name);
  for (const name of Object.keys(inputs)) {
    if (!known.includes(name)) faults.push(`\`${name}\` is no parameter of this endpoint`);
  }
  if (faults.length > 0) {
    throw new AppError('invalid_input', `${faults.join('; ')}. Parameters: ${known.join(', ') || 'none'}.`, {
      category: 'bad_request',
    });
  }
  return values;
}
