import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../core/base/json';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { readConnector } from '../../connectors/definition/read-connector';
import { connectorDeps, testContext, callEndpoint, openedBy } from '../support/connector-deps';
import { openDirectly, otherDatabase, type OtherDatabase } from './connector-database-fixture';
import type { EndpointResult } from '../../connectors/call/connector-call';

const { definition } = readConnector(
  readFileSync(join(catalogDirectory(), 'connectors/external-postgres.yaml'), 'utf8'),
);
let other: OtherDatabase;
beforeAll(async () => {
  other = await otherDatabase();
});
afterAll(() => other.close());

function call(endpoint: string, inputs: JsonObject, role = 'reader'): Promise<EndpointResult> {
  const secretValues = { EXTERNAL_DB_URL: other.addressOf(role) };
  const deps = connectorDeps({ secretValues, database: openedBy(openDirectly) });
  return callEndpoint(deps, {
    definition: definition!,
    endpoint,
    inputs,
    context: testContext({ timeoutMs: 300_000 }),
  });
}

describe('external-postgres of the catalogue', () => {
  it('lists what may be read', async () => {
    expect(await call('tables', {})).toMatchObject({
      results: [
        { schema: 'public', table: 'loud_view', kind: 'VIEW' },
        { schema: 'public', table: 't', kind: 'BASE TABLE' },
        { schema: 'public', table: 'writing_view', kind: 'VIEW' },
      ],
      truncated: false,
    });
  });

  it('describes a table', async () => {
    const { results } = await call('columns', { table: 't' });
    expect(results).toMatchObject([
      { column: 'id', type: 'integer', nullable: false },
      { column: 'name', nullable: true },
      {},
      {},
      {},
      {},
      {},
      {},
    ]);
    expect(await call('columns', { table: 'no such' })).toMatchObject({ results: [], count: 0 });
  });

  it('runs one reading statement of the caller and nothing else', async () => {
    const sql = 'select name from t where id = :id';
    expect(await call('query', { sql, params: { id: 1 } })).toMatchObject({ results: [{ name: 'Ångström & Söhne' }] });
    await expect(call('query', { sql: 'delete from t' })).rejects.toMatchObject({ code: 'invalid_sql' });
  });

  it('refuses a role that can do more than read', async () => {
    await expect(call('tables', {}, 'unbound')).rejects.toMatchObject({ code: 'role_too_powerful' });
  });
});
