import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { bindValue } from '../../../core/connector/bind-value';
import { parseConnector } from '../../../core/connector/parse';
import { listFault } from '../../../core/connector/place-fault';
import type { Json } from '../../../core/base/json';
import type { Parameter, RestConnector } from '../../../core/connector/types';

/** A connector whose one endpoint has the parameter `p`, written as JSON, which is YAML. */
function withParameter(parameter: object, more: object = {}): string {
  return JSON.stringify({
    id: 'places',
    name: 'Places',
    type: 'rest_api',
    description: 'Places of parameters',
    connection: { base_url: 'https://api.example.org' },
    endpoints: {
      e: {
        method: 'POST',
        path: (parameter as { in: string }).in === 'path' ? '/a/{p}' : '/a',
        parameters: [{ name: 'p', required: true, ...parameter }],
        response_mapping: { results_path: 'r', fields: { id: 'id' } },
        ...more,
      },
    },
  });
}

const errorsOf = (text: string): { message: string; field?: string | undefined }[] =>
  parseConnector(text)
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ message, field }) => ({ message, field }));

describe('what a place of a request cannot hold is refused where it is declared', () => {
  it.each<[object, string]>([
    [{ in: 'path', type: 'string', default: '' }, 'The default cannot be a part of a path.'],
    [{ in: 'path', type: 'string', default: '..' }, 'The default cannot be a part of a path.'],
    [{ in: 'path', type: 'string', default: 'a\0b' }, 'The default cannot be a part of a path.'],
    [
      { in: 'header', type: 'string', default: 'a\nb' },
      'The default contains line breaks or characters that a header cannot carry.',
    ],
    [
      { in: 'header', type: 'string', default: '5 €' },
      'The default contains line breaks or characters that a header cannot carry.',
    ],
    [
      { in: 'header', type: 'object', default: { price: '5 €' } },
      'The default contains line breaks or characters that a header cannot carry.',
    ],
    [
      { in: 'query', type: 'string', default: '\ud800' },
      'The default contains half of a character, which no address and no header can carry.',
    ],
    [
      { in: 'query', type: 'array', default: ['a', null] },
      'The default holds null, which neither a query nor a form can say.',
    ],
  ])('default %j', (parameter, message) => {
    expect(errorsOf(withParameter(parameter))).toEqual([{ message, field: 'endpoints.e.parameters.0.default' }]);
  });

  it.each<[object, string, number]>([
    [{ in: 'path', type: 'string', enum: ['a', '.'] }, 'A value of `enum` cannot be a part of a path.', 1],
    [
      { in: 'header', type: 'string', enum: ['\u0101', 'b'] },
      'A value of `enum` contains line breaks or characters that a header cannot carry.',
      0,
    ],
    [
      { in: 'query', type: 'array', enum: ['a', 'b', null] },
      'A value of `enum` holds null, which neither a query nor a form can say.',
      2,
    ],
  ])('options %j', (parameter, message, index) => {
    expect(errorsOf(withParameter(parameter))).toEqual([{ message, field: `endpoints.e.parameters.0.enum.${index}` }]);
  });

  it('judges a list by the form of the body', () => {
    const list = { in: 'body', type: 'array', default: ['a', null] };
    expect(errorsOf(withParameter(list))).toEqual([]);
    expect(errorsOf(withParameter(list, { body_format: 'form' }))).toHaveLength(1);
    const nested = { in: 'body', type: 'array', default: [['a', null]] };
    expect(errorsOf(withParameter(nested, { body_format: 'multipart' }))).toHaveLength(1);
    expect(errorsOf(withParameter(nested, { body_format: 'multipart', array_format: 'comma' }))).toEqual([]);
  });

  it('takes what can be sent, and only that', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('', '.', '..', 'é', '€', '\ud800', '\r\n', '\0', 'a b', '~'),
      fc.array(fc.oneof(fc.constant(null), fc.string({ maxLength: 3 })), { maxLength: 3 }),
      fc.integer(),
      fc.record({ a: fc.string({ unit: 'binary', maxLength: 3 }) }),
    );
    const places = fc.constantFrom<Parameter['in']>('path', 'query', 'header', 'body');
    fc.assert(
      fc.property(value, places, (given, place) => {
        const text = withParameter({ in: place, type: 'any', default: given as Json });
        const parsed = parseConnector(text);
        const parameter: Parameter = { name: 'p', in: place, type: 'any', required: true };
        const bound = bindValue(parameter, given, false);
        const fault = 'fault' in bound ? bound : listFault(bound.value ?? null, place === 'query' ? 'each' : 'whole');
        expect(parsed.definition === undefined).toBe(fault !== undefined);
        if (fault !== undefined) return;
        const { endpoints } = parsed.definition as RestConnector;
        expect(endpoints['e']?.parameters[0]?.default).toEqual(given);
      }),
      { numRuns: 400 },
    );
  });
});
