import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { ExpressionChecks } from '../../../core/connector/checks';
import { parseConnector } from '../../../core/connector/parse';

const CHECKS: ExpressionChecks = {
  xpath: (path) => (path.includes('evil') ? 'cannot be read' : undefined),
  selector: (path) => (path.includes('evil') ? 'cannot be read' : undefined),
  sql: (text) => (text.includes('DROP') ? { at: text.indexOf('DROP'), message: 'changes' } : undefined),
};

/** `code place` of each problem, places from the endpoint or the connection on. */
function faults(type: string, connection: Json, endpoint: JsonObject): string[] {
  const text = JSON.stringify({ id: 'a', type, connection, endpoints: { e: endpoint } });
  const { problems } = parseConnector(text, CHECKS);
  return problems.map(({ code, field }) => `${code} ${(field ?? '').replace(/^endpoints\.e\.?/, '')}`.trim());
}
const HTTP = { base_url: 'https://a.example' };
const rest = (endpoint: JsonObject): string[] => faults('rest_api', HTTP, { path: '/a', ...endpoint });
const paged = (pagination: JsonObject, more: JsonObject = {}): string[] => rest({ pagination, ...more });

describe('pages of an API', () => {
  it.each<[string, JsonObject, string[]]>([
    ['numbers', { type: 'page', param: 'p' }, []],
    ['offsets', { type: 'offset', param: 'p', size_param: 'n', size: 5 }, []],
    ['a cursor', { type: 'cursor', param: 'p', cursor_path: 'a.b' }, []],
    ['keys', { type: 'keyset', keys: { a: 'x', b: 'y.z' } }, []],
    ['links', { type: 'link_header' }, []],
    ['addresses', { type: 'next_url', next_path: 'links.next' }, []],
    ['no type', { param: 'p' }, ['missing_field pagination']],
    ['an unknown type', { type: 'scroll', nonsense: 1 }, ['invalid_value pagination.type']],
    ['numbers without a parameter', { type: 'page' }, ['missing_field pagination']],
    ['a cursor with nothing', { type: 'cursor' }, ['missing_field pagination', 'missing_field pagination']],
    [
      'addresses with a parameter',
      { type: 'next_url', next_path: 'a', param: 'p' },
      ['invalid_value pagination.param'],
    ],
    ['numbers with a cursor', { type: 'page', param: 'p', cursor_path: 'a' }, ['invalid_value pagination.cursor_path']],
    ['keys that are none', { type: 'keyset', keys: {} }, ['missing_field pagination.keys']],
    ['a key that is no path', { type: 'keyset', keys: { a: 'x..y' } }, ['invalid_path pagination.keys.a']],
    ['a path that is none', { type: 'next_url', next_path: 'a..b' }, ['invalid_path pagination.next_path']],
    ['a size without its parameter', { type: 'page', param: 'p', size: 5 }, []],
    [
      'a parameter without its size',
      { type: 'page', param: 'p', size_param: 'n' },
      ['missing_field pagination.size_param'],
    ],
    ['a size that is none', { type: 'page', param: 'p', size_param: 'n', size: 0 }, ['invalid_type pagination.size']],
    ['ends with a short page', { type: 'page', param: 'p', size: 5, ends_with: 'short_page' }, []],
    [
      'a short page of no size',
      { type: 'page', param: 'p', ends_with: ['short_page'] },
      ['missing_field pagination.ends_with'],
    ],
    ['a total', { type: 'page', param: 'p', total_path: 'total' }, []],
    ['a sign that there is more', { type: 'offset', param: 'p', more_path: 'more' }, []],
    ['both', { type: 'page', param: 'p', total_path: 'a', more_path: 'b' }, ['invalid_value pagination.more_path']],
    [
      'a total of a cursor',
      { type: 'cursor', param: 'p', cursor_path: 'a', total_path: 't' },
      ['invalid_value pagination.total_path'],
    ],
    ['more of links', { type: 'link_header', more_path: 'm' }, ['invalid_value pagination.more_path']],
    [
      'an end of keys',
      { type: 'keyset', keys: { a: 'x' }, ends_with: 'not_found' },
      ['invalid_value pagination.ends_with'],
    ],
    ['in a header', { type: 'page', param: 'X-Page', in: 'header' }, []],
    ['in a header with any name', { type: 'page', param: 'X!Page', in: 'header' }, []],
    [
      'in a header of the transport',
      { type: 'page', param: 'Host', in: 'header' },
      ['invalid_header pagination.param'],
    ],
    [
      'in a header with too long a name',
      { type: 'page', param: 'x'.repeat(101), in: 'header' },
      ['invalid_value pagination.param'],
    ],
    ['in the query with such a name', { type: 'page', param: 'X!Page' }, ['invalid_value pagination.param']],
    ['in a body of a GET', { type: 'page', param: 'p', in: 'body' }, ['invalid_value pagination.in']],
    ['an unknown key', { type: 'page', param: 'p', pages: 3 }, ['unknown_field pagination.pages']],
  ])('%s', (_what, pagination, expected) => {
    expect(paged(pagination)).toEqual(expected);
  });

  it.each<[string, JsonObject, JsonObject, string[]]>([
    ['a search by POST', { type: 'page', param: 'p', in: 'body' }, { method: 'POST', effect: 'none' }, []],
    ['a POST that changes', { type: 'page', param: 'p', in: 'body' }, { method: 'POST' }, ['invalid_value pagination']],
    [
      'XML by cursor',
      { type: 'cursor', param: 'p', cursor_path: 'a' },
      { response_format: 'xml' },
      ['invalid_value pagination.type'],
    ],
    ['CSV by links', { type: 'link_header' }, { response_format: 'csv' }, []],
  ])('%s', (_what, pagination, more, expected) => {
    expect(paged(pagination, more)).toEqual(expected);
  });
});

describe('an endpoint of an API', () => {
  it.each<[string, JsonObject, string[]]>([
    [
      'a delimiter of CSV',
      { response_format: 'csv', delimiter: ';', header: false, skip_lines: 2, encoding: 'utf-8' },
      [],
    ],
    ['a delimiter of JSON', { delimiter: ';' }, ['invalid_value delimiter']],
    ['an encoding of XML', { response_format: 'xml', encoding: 'iso-8859-1' }, []],
    ['an encoding of JSON', { encoding: 'iso-8859-1' }, ['invalid_value encoding']],
    ['a header of XML', { response_format: 'xml', header: true }, ['invalid_value header']],
    ['a delimiter of two characters', { response_format: 'csv', delimiter: ';;' }, ['invalid_value delimiter']],
    ['a quote as delimiter', { response_format: 'csv', delimiter: '"' }, ['invalid_value delimiter']],
    ['a word for tab', { response_format: 'csv', delimiter: 'tab' }, []],
    ['a body of a DELETE', { method: 'DELETE', parameters: [{ name: 'a', in: 'body' }] }, []],
    [
      'a body of a HEAD',
      { method: 'HEAD', parameters: [{ name: 'a', in: 'body' }] },
      ['invalid_value parameters.0.in'],
    ],
    ['a cache of a PUT', { method: 'PUT', cache: { ttl_seconds: 5 } }, ['invalid_value cache']],
    [
      'an XPath of an XML answer',
      { response_format: 'xml', response_mapping: { results_path: '//evil' } },
      ['invalid_path response_mapping.results_path'],
    ],
    ['a column of a CSV answer', { response_format: 'csv', response_mapping: { fields: { x: 'A..B' } } }, []],
    ['what is asked of JSON', { response_mapping: { has: 'a.b', results_are: 'list' } }, []],
    [
      'what is asked of a table',
      { response_format: 'csv', response_mapping: { has: 'a' } },
      ['invalid_value response_mapping.has'],
    ],
    [
      'results of a table',
      { response_format: 'csv', response_mapping: { results_are: 'list' } },
      ['invalid_value response_mapping.results_are'],
    ],
    ['an address of its own', { base_url: 'ftp://a' }, ['invalid_address base_url']],
    ['a path with a query', { path: '/a?b=c' }, ['invalid_value path']],
    [
      'an entity of a field',
      { response_mapping: { fields: { x: 'a' }, entity_extraction: [{ field: 'x', entity_type: 'ORG' }] } },
      [],
    ],
    [
      'an entity of no field',
      { response_mapping: { fields: { x: 'a' }, entity_extraction: [{ field: 'y', entity_type: 'ORG' }] } },
      ['unknown_reference response_mapping.entity_extraction.0.field'],
    ],
    [
      'an entity of unknown records',
      { response_mapping: { entity_extraction: [{ field: 'y', entity_type: 'ORG' }] } },
      [],
    ],
    [
      'an entity without its field',
      { response_mapping: { entity_extraction: [{ entity_type: 'ORG' }] } },
      ['missing_field response_mapping.entity_extraction.0'],
    ],
    [
      'an entity without its type',
      { response_mapping: { entity_extraction: [{ field: 'y' }] } },
      ['missing_field response_mapping.entity_extraction.0'],
    ],
    [
      'an entity that is a text',
      { response_mapping: { entity_extraction: ['y'] } },
      ['invalid_type response_mapping.entity_extraction.0'],
    ],
  ])('%s', (_what, endpoint, expected) => {
    expect(rest(endpoint)).toEqual(expected);
  });

  const one = (parameter: JsonObject, endpoint: JsonObject = {}): string[] =>
    rest({ parameters: [parameter], ...endpoint });
  it.each<[string, string[], string[]]>([
    ['a path part is found by its name', one({ name: 'x' }, { path: '/{x}' }), []],
    ['a path part may be said to be one', one({ name: 'x', in: 'path' }, { path: '/{x}' }), []],
    ['a path part in the query is none', one({ name: 'x', in: 'query' }, { path: '/{x}' }), ['unknown_reference path']],
    ['two of a name', rest({ parameters: [{ name: 'x' }, { name: 'x' }] }), ['duplicate_name parameters.1.name']],
    ['no name', one({ type: 'string' }), ['missing_field parameters.0']],
    ['a header of the transport', one({ name: 'Host', in: 'header' }), ['invalid_header parameters.0.name']],
    ['a null that cannot be said', one({ name: 'x', default: null }), ['invalid_value parameters.0.default']],
    ['a null in JSON', one({ name: 'x', default: null }, { method: 'POST' }), []],
    [
      'a null in a form',
      one({ name: 'x', default: null }, { method: 'POST', body_format: 'form' }),
      ['invalid_value parameters.0.default'],
    ],
    [
      'a null that is not among the values',
      one({ name: 'x', default: null, enum: ['a'] }, { method: 'POST' }),
      ['invalid_value parameters.0.default'],
    ],
    [
      'a null of what must be given',
      one({ name: 'x', default: null, required: true }, { method: 'POST' }),
      ['invalid_value parameters.0.default'],
    ],
    [
      'a default that is not among the values',
      one({ name: 'x', default: 'b', enum: ['a'] }),
      ['invalid_value parameters.0.default'],
    ],
    [
      'an enumeration of another type',
      one({ name: 'x', type: 'integer', enum: [1, 1.5] }),
      ['invalid_value parameters.0.enum.1'],
    ],
    ['an enumeration of elements', one({ name: 'x', type: 'array', enum: ['a', 7, null] }, { method: 'POST' }), []],
    [
      'an element that a query cannot say',
      one({ name: 'x', type: 'array', enum: ['a', 7, null] }),
      ['invalid_value parameters.0.enum.2'],
    ],
    [
      'an enumeration of lists',
      one({ name: 'x', type: 'array', enum: ['a', ['a']] }),
      ['invalid_value parameters.0.enum.1'],
    ],
    ['a default of such elements', one({ name: 'x', type: 'array', enum: ['a', 'b'], default: ['b', 'a'] }), []],
    [
      'a default of other elements',
      one({ name: 'x', type: 'array', enum: ['a', 'b'], default: ['a', 'c'] }),
      ['invalid_value parameters.0.default'],
    ],
    ['an enumeration of nothing', one({ name: 'x', enum: [] }), ['invalid_value parameters.0.enum']],
    ['an unknown key', one({ name: 'x', place: 'query' }), ['unknown_field parameters.0.place']],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });

  it.each<[string, Json, boolean]>([
    ['string', 'a', true],
    ['string', 1, false],
    ['number', 0.5, true],
    ['number', '1', false],
    ['integer', 1, true],
    ['integer', 1.5, false],
    ['integer', '1', false],
    ['boolean', false, true],
    ['boolean', 'false', false],
    ['date', '2024-02-29', true],
    ['date', '2023-02-29', false],
    ['date', 20240229, false],
    ['datetime', '2024-01-31T10:00:00Z', true],
    ['datetime', '2024-01-31 10:00:00.5+02:00', true],
    ['datetime', '2024-01-31', false],
    ['datetime', '2024-01-31T10:00:00', false],
    ['datetime', 'x2024-01-31T10:00:00Z', false],
    ['array', [1], true],
    ['array', 'a', false],
    ['object', { a: 1 }, true],
    ['object', [1], false],
    ['any', [1], true],
  ])('a default of type %s may be %j: %s', (type, value, good) => {
    expect(one({ name: 'x', type, default: value })).toEqual(good ? [] : ['invalid_value parameters.0.default']);
  });

  const rule = (fields: Json): string[] =>
    rest({ response_mapping: { fields: { x: fields } } }).map((fault) => fault.replace('response_mapping.fields.', ''));
  it.each<[Json, string[]]>([
    [{ path: 'a' }, []],
    [{ path: 'a..b' }, ['invalid_path x.path']],
    ['a..b', ['invalid_path x']],
    [5, ['invalid_type x']],
    [{ constant: 0 }, []],
    [{ path: 'a', constant: 0 }, ['invalid_value x']],
    [{}, ['missing_field x']],
    [{ constant: 0, default: 1 }, ['invalid_value x.default']],
    [{ path: 'a', transforms: 'trim' }, []],
    [{ path: 'a', transforms: ['trim', { op: 'number', decimal: ',' }] }, []],
    [{ path: 'a', transforms: { op: 'number', decimal: ';' } }, ['invalid_value x.transforms.decimal']],
    [{ path: 'a', transforms: [7] }, ['invalid_type x.transforms.0']],
    [{ path: 'a', transforms: [{}] }, ['missing_field x.transforms.0']],
    [{ path: 'a', transforms: ['date'] }, ['missing_field x.transforms.0']],
    [{ path: 'a', transforms: [{ op: 'date', format: 'YYYY' }] }, ['invalid_value x.transforms.0.format']],
    [{ path: 'a', transforms: [{ op: 'trim', more: 1 }] }, ['unknown_field x.transforms.0.more']],
    [{ path: 'a', transforms: ['split'] }, ['missing_field x.transforms.0']],
    [{ path: 'a', transforms: [{ op: 'split', separator: ' ' }] }, []],
    [{ path: 'a', transforms: [{ op: 'replace', find: ' ', with: '' }] }, []],
    [{ path: 'a', transforms: [{ op: 'replace', find: '', with: '' }] }, ['invalid_value x.transforms.0.find']],
    [{ path: 'a', transforms: [{ op: 'replace', find: 'a' }] }, ['missing_field x.transforms.0']],
    [{ path: 'a', transforms: [{ op: 'replace', find: 5, with: 'b' }] }, ['invalid_value x.transforms.0.find']],
    [{ path: 'a', transforms: ['map'] }, ['missing_field x.transforms.0']],
    [{ path: 'a', transforms: [{ op: 'map', values: 'a' }] }, ['invalid_type x.transforms.0.values']],
    [{ path: 'a', transforms: [{ op: 'map', values: { a: null }, otherwise: null }] }, []],
  ])('a field from %j', (fields, expected) => {
    expect(rule(fields)).toEqual(expected);
  });
});
