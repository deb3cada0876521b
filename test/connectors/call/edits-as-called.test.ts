import { describe, expect, it } from '@jest/globals';
import { boundValues } from '../../../connectors/call/bound-values';
import { readConnector } from '../../../connectors/definition/read-connector';
import { buildRequest } from '../../../connectors/http/build-request';
import { NO_PAGE_PARAMETERS } from '../../../connectors/paging/position';
import type { Json, JsonObject } from '../../../core/base/json';
import { endpointEditSchema } from '../../../core/connector/edit-schema';
import { canSendNull } from '../../../core/connector/null-meaning';
import type { Parameter, RestConnector } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { editProblem } from '../../../infra/approvals/edit-check';
import { checkedHeaders } from '../../../infra/egress/request-check';

/** Each parameter is alone in its endpoint, so that the call says something of it and of nothing else. */
const PARAMETERS = {
  date: '{name: v, in: query, type: date}',
  datetime: '{name: v, in: query, type: datetime}',
  date_body: '{name: v, in: body, type: date, required: true}',
  datetime_body: '{name: v, in: body, type: datetime}',
  path: '{name: v, in: path, required: true}',
  path_fallback: '{name: v, in: path, required: true, default: x}',
  path_trap: '{name: v, in: path, required: true, default: x}',
  path_any: '{name: v, in: path, type: any, required: true}',
  header: '{name: v, in: header}',
  query: '{name: v, in: query}',
  query_required: '{name: v, in: query, required: true}',
  query_any: '{name: v, in: query, type: any, required: true}',
  query_list: '{name: v, in: query, type: array}',
  query_options: '{name: v, in: query, type: array, enum: [a, b]}',
  header_options: '{name: v, in: header, type: array, enum: [a]}',
  body_options: '{name: v, in: body, type: array, required: true, enum: [a, null, {a: null}], default: [a]}',
  object_options: '{name: v, in: body, type: object, enum: [{a: null}, {}]}',
  any_options: '{name: v, in: body, type: any, enum: [a, [a], {a: null}]}',
  header_list: '{name: v, in: header, type: array}',
  body: '{name: v, in: body}',
  body_any: '{name: v, in: body, type: any, required: true}',
  body_list: '{name: v, in: body, type: array}',
  body_object: '{name: v, in: body, type: object}',
  form_list: '{name: v, in: body, type: array}',
  multipart_list: '{name: v, in: body, type: array}',
  multipart_comma: '{name: v, in: body, type: array}',
  number: '{name: v, in: query, type: number}',
  integer: '{name: v, in: query, type: integer, enum: [1, 2]}',
  boolean: '{name: v, in: query, type: boolean, default: true}',
};
type Kind = keyof typeof PARAMETERS;
/** Parameters of definitions that were saved before saving refused them. */
const OLDER: { [kind in Kind]?: Partial<Parameter> } = {
  path_trap: { default: '..' },
  header_options: { enum: ['a', '\u20ac'] },
};

const TEXTS = [
  '',
  ' ',
  '.',
  '..',
  ' .. ',
  'a',
  'a/b',
  'a\0',
  'a\nb',
  '\n',
  'caf\u00e9',
  '\u20ac',
  '\ud800',
  '\udc00x',
  '\u{1f600}',
  'x'.repeat(8_000),
  'x'.repeat(8_001),
];
const DAYS = [
  '2024-02-28',
  ' 2024-02-28 ',
  '2024-02-30',
  '2023-02-29',
  '2024-2-8',
  '28.02.2024',
  '2024-02-28garbage',
  '0000-01-01',
];
const TIMES = [
  'hello',
  '2024-02-28T10:00:00Z',
  '2024-02-28t10:00:00z',
  '2024-02-28 10:00:00+02:00',
  '2024-02-28T10:00:00',
  '2024-02-28T10:00:00.123456Z',
  '2024-02-28T25:00:00Z',
  '2024-06-31T00:00:00Z',
  '2024-02-28T10:00Z',
];
const OTHERS: Json[] = [null, 0, 1, 3, 1.5, true, '12345678901234567890', {}, { a: null }];
const LISTS: Json[] = [
  [],
  ['a'],
  ['c'],
  ['a', null],
  [null],
  [[null]],
  ['\ud800'],
  ['a\nb'],
  ['\u20ac'],
  [{ a: null }],
];
const VALUES: Json[] = [...TEXTS, ...DAYS, ...TIMES, ...OTHERS, ...LISTS];

function connectorOf(kind: Kind): RestConnector {
  const format = kind.startsWith('form') ? 'form' : kind.startsWith('multipart') ? 'multipart' : 'json';
  const { definition, problems } = readConnector(`id: c
name: C
type: rest_api
connection: {base_url: "https://c.example.org"}
endpoints:
  send:
    method: POST
    path: /${kind.startsWith('path') ? '{v}' : 'all'}
    body_format: ${format}
    array_format: ${kind.endsWith('comma') ? 'comma' : 'repeat'}
    parameters: [${PARAMETERS[kind]}]`);
  if (definition === undefined) throw new Error(JSON.stringify(problems));
  Object.assign((definition as RestConnector).endpoints['send']?.parameters[0] ?? {}, OLDER[kind]);
  return definition as RestConnector;
}

/** Refusal of the value by the call, in its own words; undefined if the request is made. */
function refusedByCall({ connection, endpoints }: RestConnector, inputs: JsonObject): string | undefined {
  const endpoint = endpoints['send'];
  if (endpoint === undefined) throw new Error('no endpoint');
  const says = (parameter: Parameter) => canSendNull('rest_api', endpoint, parameter);
  try {
    const values = boundValues(endpoint.parameters, inputs, says);
    // Checks the headers as the egress does: no bound value is refused there.
    checkedHeaders(buildRequest(connection, endpoint, values, NO_PAGE_PARAMETERS).headers);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return error.message;
    throw error;
  }
}

/** True if the value has the type that `edit_schema` shows: the call would also convert other types. */
function isOfType({ properties }: { properties: JsonObject }, value: Json): boolean {
  return editProblem({ type: 'object', properties }, { v: value }) === undefined;
}

describe('an edited input is taken exactly if the call takes it', () => {
  it.each(Object.keys(PARAMETERS) as Kind[])('%s', (kind) => {
    const connector = connectorOf(kind);
    const schema = endpointEditSchema(connector, 'send') as JsonObject & { properties: JsonObject };
    const found = VALUES.map((value) => {
      const problem = editProblem(schema, { v: value });
      if (problem !== undefined) expect(problem).toMatch(/`edits\/v(\/\d+)?` .+\./);
      return { value, taken: problem === undefined };
    });
    expect(found).toEqual(
      VALUES.map((value) => ({
        value,
        taken: isOfType(schema, value) && refusedByCall(connector, { v: value }) === undefined,
      })),
    );
    expect(new Set(found.map(({ taken }) => taken)).size).toBe(kind === 'body_any' ? 1 : 2);
  });

  it.each<[Kind, Json, string]>([
    ['datetime', '2024-06-31T00:00:00Z', 'must be of type datetime.'],
    [
      'date',
      '2024-02-30',
      '`edits/v` must be of type date. Write a day of the calendar as YYYY-MM-DD, such as 2024-02-28.',
    ],
    ['date', 'hello', 'must be of type date.'],
    ['datetime', 'hello', 'must be of type datetime. Write an instant as RFC 3339 does, such as 2024-02-28T09:30:00Z.'],
    ['path', '..', '`edits/v` cannot be a part of a path. Give a text that is not empty, neither `.` nor `..`'],
    ['path', '', 'cannot be a part of a path.'],
    [
      'path',
      '\ud800',
      'contains half of a character, which no address and no header can carry. Write the character again',
    ],
    ['header', 'a\nb', 'contains line breaks or characters that a header cannot carry. Use one line'],
    ['header', '\u20ac', 'contains line breaks or characters that a header cannot carry.'],
    ['header', 'x'.repeat(9_000), '`edits/v` has 9000 characters, and a header carries at most 8000. Give a shorter'],
    ['header_list', ['x'.repeat(8_000)], 'has 8004 characters, and a header carries at most 8000.'],
    ['header_options', ['\u20ac'], 'contains line breaks or characters that a header cannot carry.'],
    ['query_options', ['c'], '`edits/v/0` must be equal to one of the allowed values'],
    ['query_list', [null], '`edits/v` holds null, which neither a query nor a form can say. Take it out of the list.'],
    ['query_list', ['\ud800'], 'contains half of a character'],
    ['form_list', ['a', null], 'holds null'],
    ['query_any', null, '`edits/v` is null, and a value is needed.'],
    ['path_trap', null, 'cannot be a part of a path'],
  ])('%s: %j says what is expected and what to do', (kind, value, expected) => {
    const connector = connectorOf(kind);
    expect(editProblem(endpointEditSchema(connector, 'send'), { v: value })).toContain(expected);
    expect(refusedByCall(connector, { v: value })).toBeDefined();
  });

  it.each<[Kind, Json]>([
    ['date', '2024-02-28T10:00:00Z'],
    ['datetime', '2024-02-28'],
    ['query_options', ['a', 'b']],
    ['query_options', []],
    ['body_options', ['a', null, { a: null }]],
    ['object_options', { a: null }],
    ['any_options', ['a']],
    ['header', 'x'.repeat(8_000)],
    ['body_list', [null]],
    ['query_required', ''],
    ['path_fallback', null],
  ])('%s: %j is what a call sends', (kind, value) => {
    expect(editProblem(endpointEditSchema(connectorOf(kind), 'send'), { v: value })).toBeUndefined();
  });

  it('by the rules of the call alone: of other fields, and of requests from before, types are checked', () => {
    const { 'x-parameters': _rules, ...earlier } = endpointEditSchema(connectorOf('date'), 'send');
    expect(editProblem(earlier, { v: 'hello' })).toBeUndefined();
    expect(editProblem(earlier, { v: 5 })).toContain('must be string');
    const schema = { properties: {}, 'x-parameters': { 'a/b~c': { in: 'path', type: 'string' } } };
    expect(editProblem(schema, { 'a/b~c': '..', toString: '..' })).toMatch(/^`edits\/a\/b~c` cannot be [^`]+`\.` nor/);
  });
});
