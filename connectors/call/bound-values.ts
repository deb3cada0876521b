import { isDate } from '../../core/base/calendar';
import type { Json, JsonObject } from '../../core/base/json';
import { ownField } from '../../core/base/json';
import { readNumber } from '../../core/base/number-rule';
import { nullMeaning } from '../../core/connector/null-meaning';
import { valueFault } from '../../core/connector/types/rest-parameters';
import type { Parameter } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { textOf } from '../http/bodies/form';
import { convertJson, isDay } from '../formats/convert';

/** Whether the place of a parameter can tell null from nothing. */
export type SaysNull = (parameter: Parameter) => boolean;

/**
 * Declared parameters that have a value, in order of declaration. Throws `invalid_input` with every input that does not
 * fit, before anything is sent.
 */
export function boundValues(
  parameters: readonly Parameter[],
  inputs: JsonObject,
  says: SaysNull = () => false,
): Map<Parameter, Json> {
  const values = new Map<Parameter, Json>();
  const faults: string[] = [];
  for (const parameter of parameters) {
    const meaning = nullMeaning(parameter, says(parameter));
    const given = ownField(inputs, parameter.name);
    const isGiven = given !== undefined && (given !== null || meaning !== 'not_given');
    const value = isGiven ? given : parameter.default;
    if (value === null && meaning === 'sent') {
      values.set(parameter, null);
      continue;
    }
    if (value === undefined || value === null) {
      if (isGiven) faults.push(`\`${parameter.name}\` is null, and a value is needed`);
      else if (parameter.required) faults.push(`\`${parameter.name}\` is missing`);
      continue;
    }
    const converted = asDeclared(parameter, value);
    const fault = faultOf(parameter, converted);
    if (fault === undefined) {
      values.set(parameter, converted);
    } else {
      faults.push(`\`${parameter.name}\` ${fault}`);
    }
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
export function leftOut(parameters: readonly Parameter[], inputs: JsonObject, says: SaysNull): string[] {
  return parameters
    .filter((parameter) => ownField(inputs, parameter.name) === null && (parameter.default ?? null) === null)
    .filter((parameter) => nullMeaning(parameter, says(parameter)) === 'not_given')
    .map(({ name }) => name);
}

/**
 * Numbers written as text, and the reverse, are what playbooks carry between steps. So are days for instants and instants
 * for days: a day is its midnight in UTC, an instant counts with the day that it names.
 */
function asDeclared({ type }: Parameter, value: Json): Json {
  if (typeof value === 'string' && type === 'date') {
    // What only begins like a day is none: it is refused as it is.
    return isDay(value.trim()) ? value.trim().slice(0, 10) : value;
  }
  if (typeof value === 'string' && type === 'datetime' && isDate(value.trim())) {
    return `${value.trim()}T00:00:00Z`;
  }
  return convertJson(value, type) ?? value;
}

function faultOf(parameter: Parameter, value: Json): string | undefined {
  const { type, enum: options } = parameter;
  if (type === 'array' && Array.isArray(value) && options !== undefined) {
    // Options of a list are options of its elements.
    const wrong = value.find((item) => !options.includes(item));
    return wrong === undefined ? undefined : valueFault(wrong, 'any', options);
  }
  const fault = valueFault(value, type, options);
  if (fault !== undefined) return fault + wayOut(type, value);
  return placeFault(parameter, value);
}

/** A number that no double holds would go out as another one. */
function wayOut(type: Parameter['type'], value: Json): string {
  return (type === 'number' || type === 'integer') && typeof value === 'string' && typeof readNumber(value) === 'string'
    ? ', and this one has more digits than a number holds; declared as string it is sent as it is written'
    : '';
}

/** A path segment is one segment: what would change the path is refused, everything else is encoded once. */
function placeFault(parameter: Parameter, value: Json): string | undefined {
  if (parameter.in !== 'body' && /\p{Surrogate}/u.test(textOf(value))) {
    return 'contains half of a character, which no address and no header can carry';
  }
  if (parameter.in === 'path') {
    const text = textOf(value);
    return text === '' || text === '.' || text === '..' || text.includes('\0')
      ? 'cannot be a part of a path'
      : undefined;
  }
  if (parameter.in === 'header') {
    return /^[\t\x20-\x7e\x80-\xff]*$/.test(textOf(value))
      ? undefined
      : 'contains characters that a header cannot carry';
  }
  return undefined;
}
