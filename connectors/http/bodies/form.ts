import type { Json } from '../../../core/base/json';
import { listFault, textOf, type BindFault } from '../../../core/connector/place-fault';
import type { RestEndpoint } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';

/** One named value of a query, a form or a multipart body. */
export type Pair = readonly [name: string, value: Json];
export type ArrayFormat = NonNullable<RestEndpoint['array_format']>;

/** `a=1&b=2` as forms and queries write it (WHATWG URL, application/x-www-form-urlencoded). */
export function formText(pairs: readonly Pair[], format: ArrayFormat): string {
  return pairs
    .flatMap(([name, value]) => {
      // Writes single values directly: most values are single.
      if (!Array.isArray(value)) return `${encoded(name)}=${encoded(textOf(value))}`;
      return spread(name, value, format).map(([key, items]) => `${encoded(key)}=${items.map(encoded).join(',')}`);
    })
    .join('&');
}

/** Texts under their final names. Only `comma` puts several into one field; the comma between them stays a comma. */
export function spread(name: string, value: Json, format: ArrayFormat): [name: string, texts: string[]][] {
  const fault = listFault(value, 'each');
  if (fault !== undefined) throw unsayable(name, fault);
  if (!Array.isArray(value)) {
    return [[name, [textOf(value)]]];
  }
  if (format === 'comma') {
    return value.length === 0 ? [] : [[name, value.map(textOf)]];
  }
  const key = format === 'brackets' ? `${name}[]` : name;
  return value.map((item) => [key, [textOf(item)]]);
}

function unsayable(name: string, { fault, wayOut }: BindFault): AppError {
  return new AppError('invalid_input', `The list \`${name}\` ${fault}. ${wayOut ?? ''}`, { category: 'bad_request' });
}

/** Characters that a form does not encode. */
const PLAIN = /^[A-Za-z0-9*._-]*$/;

function encoded(text: string): string {
  if (PLAIN.test(text)) return text;
  return new URLSearchParams([['', text]]).toString().slice(1);
}
