import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createConnectorActions } from '../../activities/actions/call-connector.actions';
import type { Action } from '../../activities/actions/types';
import type { ConnectorDefinition } from '../../core/connector/types';
import { readConnector } from '../../connectors/definition/read-connector';
import type { ConnectorRuntime } from '../../connectors/runtime/runtime';
import { SourceWait } from '../../connectors/runtime/limits/source-wait';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { openKeys, openVault } from '../../infra/secrets/open-vault';
import type { SecretVault } from '../../infra/secrets/vault';
import { OWNER, testDatabase, type TestDatabase } from '../db/db-fixture';
import { connectorDeps, testContext } from '../support/connector-deps';
import { reply, startScript, type Script } from '../connectors/runtime/runtime-fixture';
import { TEST_MASTER_KEYS } from '../support/keys';
import { stepDeps } from './step-deps';
import { testRuntime } from '../support/connector-runtime';

let db: TestDatabase;
let source: Script;
let vault: SecretVault;
let runtime: ConnectorRuntime;
let action: Action;
/** The secret that the binding of the moment gives the connector. */
let bound = '';
let slug = '';
let versionId = '';

beforeAll(async () => {
  db = await testDatabase();
  source = await startScript();
  const keys = openKeys({ home: '/nowhere', masterKeys: TEST_MASTER_KEYS, masterKeysFile: undefined });
  vault = openVault({ home: '/nowhere' }, db.database, keys);
  runtime = testRuntime(db.database, 'w');
  const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
  const none = stepDeps(deps, new ConnectorsStore<ConnectorDefinition>(db.database), runtime);
  action = createConnectorActions({
    ...none,
    bindings: {
      ...none.bindings,
      find: async (use) => ({ ...(await none.bindings.find(use)), credentials: { secret: { secret: bound } } }),
    },
    secrets: vault,
  })['call_connector']!;
});
afterAll(async () => {
  await runtime?.close();
  await source?.close();
  await db?.close();
});

beforeEach(async () => {
  slug = `c-${randomUUID()}`;
  const text = `{id: ${slug}, type: rest_api, connection: {base_url: "${source.url}", auth: {type: bearer_token, secret: {secret: handle}}},
    endpoints: {list: {path: /list, cache: {ttl_seconds: 600}}}}`;
  const body = readConnector(text).definition!;
  const kept = { slug, name: slug, kind: body.type, content_hash: randomUUID(), source_format: 'yaml' as const };
  const saved = await new ConnectorsStore<ConnectorDefinition>(db.database).save(OWNER, {
    ...kept,
    source: text,
    body,
  });
  versionId = saved.version.id;
});

/** A secret that may go to the source of the test's connector. */
async function store(value: string): Promise<string> {
  const name = `s-${randomUUID()}`;
  await vault.create(OWNER, name, { value, allowedHosts: ['127.0.0.1'] });
  await runtime.bindings.confirm(OWNER, { connector: slug, secret: name, origins: [source.url] });
  return name;
}

function callWith(secret: string): ReturnType<Action> {
  bound = secret;
  return action(
    { action: 'call_connector', inputs: {}, params: { connector: slug, endpoint: 'list' } },
    {
      ...testContext({ ownerId: OWNER }),
      runId: randomUUID(),
      playbookId: 'p',
      stepPath: 's',
      stepName: 's',
      tryNo: 1,
      clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
      connectors: { [slug]: versionId },
      note: () => undefined,
    },
  );
}

const LIST = '[{"a":1}]';

describe('a secret that a binding puts in the place of another', () => {
  it('has limits of its own', async () => {
    const [first, second] = [await store('one'), await store('two')];
    source.play(reply(429, { 'retry-after': '600' }), reply(200, {}, LIST));
    await expect(callWith(first)).rejects.toThrow(SourceWait);
    await expect(callWith(second)).resolves.toMatchObject({ output: { count: 1 } });
    await expect(callWith(first)).rejects.toThrow(SourceWait);
    expect(source.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
  });

  it('loses what it fetched when it is rotated', async () => {
    const [first, second] = [await store('one'), await store('two')];
    source.play(reply(200, {}, LIST));
    for (const each of [first, second]) await callWith(each);
    const keptBy = async (): Promise<string[]> => {
      const text = 'select credential from connector_cache where connector = $1 order by fresh_until';
      return (await db.admin.query<{ credential: string }>(text, [slug])).map(({ credential }) => credential);
    };
    expect(await keptBy()).toEqual([first, second]);
    await vault.rotate(OWNER, second, { value: 'three' });
    expect(await keptBy()).toEqual([first]);
  });

  it('is the one that its owner hears of when the source refuses it', async () => {
    const [first, second] = [await store('one'), await store('two')];
    source.play(reply(401));
    await expect(callWith(second)).rejects.toMatchObject({ code: 'auth_failed' });
    expect(await runtime.bindings.states(OWNER, slug)).toMatchObject([{ credential: second, state: 'auth_failed' }]);
    const text = `select title from notifications where kind = 'connector_auth_failed' and title like $1`;
    expect(await db.admin.query(text, [`%${slug}%`])).toEqual([{ title: expect.stringContaining(`"${second}"`) }]);
    source.play(reply(200, {}, LIST));
    await callWith(first);
    expect(await runtime.bindings.states(OWNER, slug)).toContainEqual(
      expect.objectContaining({ credential: second, state: 'auth_failed' }),
    );
  });
});
