import type { Json, JsonObject } from '../../core/base/json';
import { ownField } from '../../core/base/json';
import { bindValue } from '../../core/connector/bind-value';
import { nullMeaning } from '../../core/connector/null-meaning';
import type { Parameter } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';

/** True if the place of a parameter can express null. */
export type CanSendNull = (parameter: Parameter) => boolean;

/**
 * Declared parameters that have a value, in order of declaration. Throws `invalid_input` with every input that does not
 * fit, before anything is sent.
 */
export function boundValues(
  parameters: readonly Parameter[],
  inputs: JsonObject,
  sendsNull: CanSendNull = () => false,
): Map<Parameter, Json> {
  const values = new Map<Parameter, Json>();
  const faults: string[] = [];
  for (const parameter of parameters) {
    const bound = bindValue(parameter, ownField(inputs, parameter.name), sendsNull(parameter));
    if ('fault' in bound) faults.push(`\`${parameter.name}\` ${bound.fault}`);
    else if (bound.value !== undefined) values.set(parameter, bound.value);
  }
  const known = parameters.map((parameter) => parameter.name);
  faults.push(
    ...Object.keys(inputs)
      .filter((name) => !known.includes(name))
      .map((name) => `\`${name}\` is no parameter of this endpoint`),
  );
  if (faults.length > 0) {
    throw new AppError('invalid_input', `${faults.join('; ')}. Parameters: ${known.join(', ') || 'none'}.`, {
      category: 'bad_request',
    });
  }
  return values;
}

/** Parameters that were given as null where nothing is left to be sent for it. */
export function droppedNulls(parameters: readonly Parameter[], inputs: JsonObject, sendsNull: CanSendNull): string[] {
  return parameters
    .filter((parameter) => ownField(inputs, parameter.name) === null && (parameter.default ?? null) === null)
    .filter((parameter) => nullMeaning(parameter, sendsNull(parameter)) === 'not_given')
    .map(({ name }) => name);
}
