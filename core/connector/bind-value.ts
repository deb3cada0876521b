import { isDate } from '../base/calendar';
import type { Json } from '../base/json';
import { readNumber } from '../base/number-rule';
import { convertJson, dayOf } from './convert';
import { headerValueFault } from './http-names';
import { nullMeaning } from './null-meaning';
import { valueFault } from './types/rest-parameters';
import type { ConnectorDefinition, Endpoint, Parameter } from './types';

/** A parameter as a call binds it. */
export type BindRules = Omit<Parameter, 'name' | 'description'>;

export interface BindFault {
  /** Without the value itself: `must be of type date`. */
  fault: string;
  /** Advice on a value that would be taken, as a sentence. */
  wayOut?: string;
}

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
 * Form of a list in a request: one JSON value, each element as a text of its own, or the elements of lists in it, too.
 */
export type ListForm = 'whole' | 'each' | 'nested';

export function listForm(
  type: ConnectorDefinition['type'],
  endpoint: Endpoint,
  { in: place }: Pick<Parameter, 'in'>,
): ListForm {
  if (place === 'query') return 'each';
  if (type !== 'rest_api' || place !== 'body' || !('body_format' in endpoint) || endpoint.body_format === 'json')
    return 'whole';
  return endpoint.body_format === 'multipart' && endpoint.array_format !== 'comma' ? 'nested' : 'each';
}

/** The word `null` would be a text like any other. */
export function listFault(value: Json, form: ListForm): BindFault | undefined {
  return form !== 'whole' && holdsNull(value, form)
    ? { fault: 'holds null, which neither a query nor a form can say', wayOut: 'Take it out of the list.' }
    : undefined;
}

function holdsNull(value: Json, form: ListForm): boolean {
  if (!Array.isArray(value)) return value === null;
  return value.some((item) => item === null || (form === 'nested' && holdsNull(item, form)));
}

/** A text as it is, all else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
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

/** A number that no double holds would go out as another one. */
function digitsRemark(type: Parameter['type'], value: Json): string {
  return (type === 'number' || type === 'integer') && typeof value === 'string' && typeof readNumber(value) === 'string'
    ? ', and this one has more digits than a number holds; declared as string it is sent as it is written'
    : '';
}

/** A path segment is one segment: what would change the path is refused, everything else is encoded once. */
function placeFault({ in: place }: BindRules, value: Json): BindFault | undefined {
  if (place === 'body') return undefined;
  // Elements of a list go into a query one by one, elsewhere the list is one text.
  const texts = place === 'query' && Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  if (texts.some((text) => /\p{Surrogate}/u.test(text))) {
    return {
      fault: 'contains half of a character, which no address and no header can carry',
      wayOut: 'Write the character again, or take it out.',
    };
  }
  const [text = ''] = texts;
  if (place === 'path' && (text === '' || text === '.' || text === '..' || text.includes('\0'))) {
    return {
      fault: 'cannot be a part of a path',
      wayOut: 'Give a text that is not empty, neither `.` nor `..`, and holds no NUL character.',
    };
  }
  return place === 'header' ? headerValueFault(text) : undefined;
}
