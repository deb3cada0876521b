import { describe, expect, it } from '@jest/globals';
import { readConnector } from '../../../../connectors/definition/read-connector';

const connector = (sql: string): string => `id: grants
type: database
connection:
  auth: {type: connection_string, secret: {secret: DB}}
endpoints:
  since:
    sql: |
${sql.replace(/^/gm, '      ')}
    parameters:
      - {name: day, type: date}
`;

describe('the statement of a connector that is saved', () => {
  it('is read by the grammar of PostgreSQL', () => {
    const sql = 'select * from grants\nwhere paid_on > :day';
    expect(readConnector(connector(sql))).toMatchObject({
      problems: [],
      definition: { type: 'database', endpoints: { since: { sql: `${sql}\n`, free_sql: false } } },
    });
  });

  it.each([
    ['select * from grants\nwhere paid_on >> > :day', 'syntax error', 9],
    ['select :day;\ndrop table grants', 'more than one statement', 9],
    ['select 1,\n  pg_sleep(:day)', '`pg_sleep` may not be called', 9],
    ['with d as (\n  delete from grants returning *) select :day from d', 'DELETE is not allowed', 8],
  ])('%j has its problem at its line', (sql, message, line) => {
    expect(readConnector(connector(sql)).problems).toMatchObject([
      { code: 'invalid_sql', line, field: 'endpoints.since.sql', message: expect.stringContaining(message) },
    ]);
  });
});
