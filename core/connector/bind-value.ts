import { isDate } from '../base/calendar';
import type { Json } from '../base/json';
import { readNumber } from '../base/number-rule';
import { convertJson, dayOf } from './convert';
import { nullMeaning } from './null-meaning';
import { placeFault, type BindFault } from './place-fault';
import { valueFault } from './types/rest-parameters';
import type { Parameter } from './types';

/** A parameter as a call binds it. */
export type BindRules = Omit<Parameter, 'name' | 'description'>;

/** The value that is sent for a parameter; `value` undefined = none is sent. */
export type BoundValue = { value: Json | undefined } | BindFault;

const WAYS_OUT: { [type in Parameter['type']]?: string } = {
  date: 'Write a day of the calendar as YYYY-MM-DD, such as 2024-02-28.',
  datetime: 'Write an instant as RFC 3339 does, such as 2024-02-28T09:30:00Z.',
};

/**
 * Converts the value given for a parameter to the one that is sent. `says`: the place of the parameter has a null of
 * its own.
 */
export function bindValue(parameter: BindRules, given: Json | undefined, says: boolean): BoundValue {
  const meaning = nullMeaning(parameter, says);
  const isGiven = given !== undefined && (given !== null || meaning !== 'not_given');
  const value = isGiven ? given : parameter.default;
  if (value === null && meaning === 'sent') return { value };
  if (value === undefined || value === null) {
    if (isGiven) return { fault: 'is null, and a value is needed' };
    return parameter.required ? { fault: 'is missing' } : { value: undefined };
  }
  const converted = asDeclared(parameter, value);
  return faultOf(parameter, converted) ?? { value: converted };
}

/**
 * Numbers written as text, and the reverse, are what playbooks carry between steps. So are days for instants and instants
 * for days: a day is its midnight in UTC, an instant counts with the day that it names.
 */
function asDeclared({ type }: BindRules, value: Json): Json {
  if (typeof value === 'string' && type === 'date') {
    // A text that names no day stays as it is, and is refused.
    return dayOf(value.trim()) ?? value;
  }
  if (typeof value === 'string' && type === 'datetime' && isDate(value.trim())) {
    return `${value.trim()}T00:00:00Z`;
  }
  return convertJson(value, type) ?? value;
}

function faultOf(parameter: BindRules, value: Json): BindFault | undefined {
  const { type, enum: options } = parameter;
  const fault = valueFault(value, type, options);
  if (fault === undefined) return placeFault(parameter, value);
  const wayOut = options === undefined ? WAYS_OUT[type] : undefined;
  return { fault: fault + digitsRemark(type, value), ...(wayOut === undefined ? {} : { wayOut }) };
}

/** A number that no double holds would be sent as another one. */
function digitsRemark(type: Parameter['type'], value: Json): string {
  return (type === 'number' || type === 'integer') && typeof value === 'string' && typeof readNumber(value) === 'string'
    ? ', and this one has more digits than a number holds; declared as string it is sent as it is written'
    : '';
}
