import type { Json } from '../base/json';
import { headerValueFault } from './http-names';
import type { ConnectorDefinition, Endpoint, Parameter, RestEndpoint } from './types';

export interface BindFault {
  /** Fault without the value itself: `must be of type date`. */
  fault: string;
  /** Advice on a value that would be taken, as a sentence. */
  wayOut?: string;
}

/** A path segment is one segment: what would change the path is refused, everything else is encoded once. */
export function placeFault({ in: place }: Pick<Parameter, 'in'>, value: Json): BindFault | undefined {
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

/**
 * Form of a list in a request: one JSON value, each element as a text of its own, or the elements of lists in it, too.
 */
export type ListForm = 'whole' | 'each' | 'nested';

export function listForm(
  type: ConnectorDefinition['type'],
  endpoint: Endpoint | Pick<RestEndpoint, 'body_format' | 'array_format'>,
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
