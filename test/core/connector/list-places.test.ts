import { expect, it } from '@jest/globals';
import { parseConnector } from '../../../core/connector/parse';

/** Lines of the problems that are no fault of an element's own form. */
function lines(text: string): string[] {
  const all = text.split('\n');
  return parseConnector(text)
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ code, line }) => `${code}: ${all[(line ?? 0) - 1]?.trim() ?? ''}`);
}

it.each([
  [
    'parameters of a source over HTTP',
    `id: p
name: P
type: rest_api
connection: {base_url: "https://example.org"}
endpoints:
  rows:
    path: /rows
    parameters:
      - nothing
      - {name: a}
      - 5
      - {name: a}
      - {name: b, in: nowhere}`,
    [
      'invalid_type: - nothing',
      'invalid_type: - 5',
      'duplicate_name: - {name: a}',
      'invalid_value: - {name: b, in: nowhere}',
    ],
  ],
  [
    'parameters of a statement',
    `id: p
name: P
type: database
connection: {driver: postgresql, auth: {type: connection_string, secret: {secret: P}}}
endpoints:
  rows:
    sql: "select :a"
    parameters:
      - nothing
      - {name: a}
      - {name: unused}`,
    ['invalid_type: - nothing', 'unknown_reference: - {name: unused}'],
  ],
  [
    'feeds',
    `id: p
name: P
type: rss_feed
connection:
  feeds:
    - nothing
    - {name: all, url: "https://example.org/a"}
endpoints:
  rows:
    parameters:
      - nothing
      - {name: feed_name, default: nobody}`,
    [
      'invalid_type: - nothing',
      'duplicate_name: - {name: all, url: "https://example.org/a"}',
      'invalid_type: - nothing',
      'unknown_reference: - {name: feed_name, default: nobody}',
    ],
  ],
])('what stands behind an invalid element is pointed at where it is written: %s', (_what, text, expected) => {
  expect(lines(text)).toEqual(expected);
});
