import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PREFIX, rowCounts, startApi, type TestApi } from './api-fixture';
import { OPENAPI } from './conformance';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Fields that only the platform decides, in both spellings. */
const FORBIDDEN = {
  tenantId: randomUUID(),
  tenant_id: randomUUID(),
  teamId: randomUUID(),
  ownerId: randomUUID(),
  owner_id: randomUUID(),
  user_id: randomUUID(),
  isAdmin: true,
  is_admin: true,
  createdAt: '2020-01-01T00:00:00Z',
  created_at: '2020-01-01T00:00:00Z',
  row_version: 7,
  role: 'owner',
  scopes: ['global:admin'],
};

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

function schemaOf({ requestBody }: Operation): Schema | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  const name = schema?.$ref?.split('/').pop() ?? '';
  return (OPENAPI.components.schemas as unknown as Record<string, Schema>)[name] ?? schema;
}

/** Every operation that reads JSON, with the fields that its document names. */
const OPERATIONS = Object.entries(OPENAPI.paths as unknown as Record<string, Record<string, Operation>>)
  .filter(([path]) => path.startsWith(PREFIX))
  .flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, verb, schema: schemaOf(operation) })),
  )
  .flatMap(({ path, verb, schema }) =>
    schema === undefined
      ? []
      : [[`${verb.toUpperCase()} ${path.slice(PREFIX.length)}`, Object.keys(schema.properties ?? {})] as const],
  );

describe('T03: fields that nobody may set', () => {
  it('are looked for on every route that reads JSON', () => {
    expect(OPERATIONS.length).toBeGreaterThan(30);
  });

  it.each(OPERATIONS)('%s', async (name, known) => {
    const [method = '', path = ''] = name.split(' ');
    const body = Object.fromEntries(Object.entries(FORBIDDEN).filter(([field]) => !known.includes(field)));
    const before = await rowCounts(api);
    const at = path.replace(/\{[^}]+\}/g, () => randomUUID());
    const answer = await api.call(method, at, body, { 'if-match': '*', 'idempotency-key': randomUUID() });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'invalid_request' });
    const named = (answer.body.problems ?? []).map(({ field }) => field);
    expect(named).toEqual(expect.arrayContaining(Object.keys(body)));
    expect(await rowCounts(api)).toEqual(before);
  });
});
