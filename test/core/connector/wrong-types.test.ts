import { expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { parseConnector } from '../../../core/connector/parse';

it.each<[Json, string]>([
  [[1], 'a list'],
  [{ a: 1 }, 'keys and values'],
  [5, '`5`'],
  [true, '`true`'],
])('what stands in place of a text is named: %j', (value, found) => {
  const text = JSON.stringify({
    id: 'a',
    type: 'rest_api',
    connection: { base_url: value },
    endpoints: { e: { path: '/a' } },
  });
  expect(parseConnector(text).problems.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(new RegExp(`^\`base_url\` must be .*; found ${found}\\.$`)),
  );
});

it('what stands in place of keys and values is named', () => {
  const of = (connection: Json): string[] =>
    parseConnector(
      JSON.stringify({ id: 'a', type: 'rest_api', connection, endpoints: { e: { path: '/a' } } }),
    ).problems.map(({ message }) => message);
  expect(of([])).toContain('Expected keys and values here, found a list.');
  expect(of('x')).toContain('Expected keys and values here, found `x`.');
});
