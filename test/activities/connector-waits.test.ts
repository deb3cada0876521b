import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createConnectorActions } from '../../activities/actions/call-connector.actions';
import type { Action, ActionContext } from '../../activities/actions/types';
import type { JsonObject } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import { readConnector } from '../../connectors/definition/read-connector';
import type { ConnectorRuntime } from '../../connectors/runtime/runtime';
import { secretOrigins } from '../../connectors/auth/secret-origins';
import { SourceWait } from '../../connectors/runtime/limits/source-wait';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { OWNER, testDatabase, type TestDatabase } from '../db/db-fixture';
import { connectorDeps, testContext } from '../support/connector-deps';
import { stepDeps } from './step-deps';
import { reply, startScript, type Script } from '../connectors/runtime/runtime-fixture';
import { testRuntime } from '../support/connector-runtime';

let db: TestDatabase;
let source: Script;
let decoy: Script;
let runtime: ConnectorRuntime;
let connectors: ConnectorsStore<ConnectorDefinition>;
let bindings: ConnectorBindingsStore;
beforeAll(async () => {
  db = await testDatabase();
  source = await startScript();
  decoy = await startScript();
  runtime = testRuntime(db.database, 'w');
  connectors = new ConnectorsStore(db.database);
  bindings = new ConnectorBindingsStore(db.database);
});
afterAll(async () => {
  await runtime?.close();
  await source?.close();
  await decoy?.close();
  await db?.close();
});

let slug = '';
let action: Action;
let notes: { type: string; payload: JsonObject }[] = [];
beforeEach(async () => {
  // All tests ask with the same key at the same source.
  await db.admin.query('update connector_buckets set blocked_until = null');
  slug = `c-${randomUUID()}`;
  notes = [];
  const allow = [source, decoy].map(({ port }) => ({ host: '127.0.0.1', port }));
  const deps = connectorDeps({ secretValues: { key: 'canary', second: 'canary of the second' }, allow });
  action = createConnectorActions(stepDeps(deps, connectors, runtime))['call_connector']!;
  source.play(reply(200, {}, '[{"a":1}]'));
  decoy.play(reply(200, {}, '[]'));
});

const KEY = '{type: bearer_token, secret: {secret: key}}';

/** A new version of the test's connector; its id. */
async function save(baseUrl: string, endpoint = '{path: /list}', auth = KEY, more = ''): Promise<string> {
  return saveText(
    `{id: ${slug}, ${more}type: rest_api, connection: {base_url: "${baseUrl}", auth: ${auth}}, endpoints: {list: ${endpoint}}}`,
  );
}

async function saveText(text: string): Promise<string> {
  const { definition: body, problems } = readConnector(text);
  if (body === undefined) throw new Error(JSON.stringify(problems));
  const definition = { slug, name: slug, kind: body.type, content_hash: randomUUID(), source_format: 'yaml' as const };
  return (await connectors.save(OWNER, { ...definition, source: text, body })).version.id;
}

function call(versionId: string, params: JsonObject = {}, more: Partial<ActionContext> = {}): ReturnType<Action> {
  const context: ActionContext = {
    ...testContext({ ownerId: OWNER }),
    runId: randomUUID(),
    playbookId: 'p',
    stepPath: 's',
    stepName: 's',
    tryNo: 1,
    clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
    connectors: { [slug]: versionId },
    note: (type, payload) => notes.push({ type, payload }),
    ...more,
  };
  return action(
    { action: 'call_connector', inputs: {}, params: { connector: slug, endpoint: 'list', ...params } },
    context,
  );
}

describe('where a secret may go', () => {
  it('to the hosts that the connector was written with, without a word', async () => {
    await expect(call(await save(source.url))).resolves.toMatchObject({ output: { count: 1 } });
    expect(source.seen[0]?.headers.authorization).toBe('Bearer canary');
  });

  it.each<[string, () => Promise<string>]>([
    ['a changed base_url', () => save(decoy.url)],
    ['a base_url of one endpoint', () => save(source.url, `{base_url: "${decoy.url}", path: /list}`)],
  ])('nowhere else before its owner agrees: %s', async (_name, change) => {
    await save(source.url);
    const versionId = await change();
    const before = decoy.connections();
    await expect(call(versionId)).rejects.toMatchObject({
      code: 'needs_confirmation',
      message: expect.stringContaining(decoy.url),
      details: { connector: slug, new_origins: [decoy.url], known_origins: [source.url] },
    });
    expect(decoy.connections()).toBe(before);
    await bindings.confirm(OWNER, { connector: slug, secret: 'key', origins: [decoy.url] });
    await expect(call(versionId)).resolves.toMatchObject({ output: { count: 0 } });
    expect(decoy.seen).toHaveLength(1);
  });

  it('not even to the first hosts of an imported definition', async () => {
    const versionId = await save(source.url, undefined, undefined, 'imported: true, ');
    await expect(call(versionId)).rejects.toMatchObject({ code: 'needs_confirmation', details: { known_origins: [] } });
    expect(source.seen).toEqual([]);
    await bindings.confirm(OWNER, { connector: slug, secret: 'key', origins: [source.url] });
    await expect(call(versionId)).resolves.toMatchObject({ output: { count: 1 } });
  });

  it.each([
    ['no secret', '{type: none}'],
    ['another secret', '{type: bearer_token, secret: {secret: other}}'],
  ])('not even to the first hosts of a connector that began with %s', async (_name, first) => {
    await save(source.url, undefined, first);
    const versionId = await save(source.url);
    await expect(call(versionId)).rejects.toMatchObject({
      code: 'needs_confirmation',
      message: expect.stringContaining('began without this secret'),
      details: { new_origins: [source.url], known_origins: [] },
    });
    expect(source.seen).toEqual([]);
    await bindings.confirm(OWNER, { connector: slug, secret: 'key', origins: [source.url] });
    await expect(call(versionId)).resolves.toMatchObject({ output: { count: 1 } });
  });

  it('another secret is sent to a confirmed place only when it was confirmed for that one', async () => {
    await save(source.url);
    await bindings.confirm(OWNER, { connector: slug, secret: 'key', origins: [source.url] });
    const versionId = await save(source.url, undefined, '{type: bearer_token, secret: {secret: second}}');
    await expect(call(versionId)).rejects.toMatchObject({
      code: 'needs_confirmation',
      details: { new_origins: [source.url], known_origins: [] },
    });
    expect(source.seen).toEqual([]);
    await bindings.confirm(OWNER, { connector: slug, secret: 'second', origins: [source.url] });
    await call(versionId);
    expect(source.seen[0]?.headers.authorization).toBe('Bearer canary of the second');
  });

  it('a connector that takes the name of a deleted one is not trusted with its secret', async () => {
    await call(await save(source.url));
    await bindings.confirm(OWNER, { connector: slug, secret: 'key', origins: [decoy.url] });
    await connectors.remove(OWNER, slug, 'any');
    const again = await save(decoy.url);
    await expect(call(again)).rejects.toMatchObject({
      code: 'needs_confirmation',
      message: expect.stringContaining('a connector of this name was deleted'),
      details: { new_origins: [decoy.url], known_origins: [] },
    });
    expect(decoy.seen).toEqual([]);
    // The same place can be confirmed again, for the new one.
    await bindings.confirm(OWNER, { connector: slug, secret: 'key', origins: [decoy.url] });
    await call(again);
    expect(decoy.seen).toHaveLength(1);
    // A secret that the deleted one did not know goes where the new one was written with.
    await connectors.remove(OWNER, slug, 'any');
    await call(await save(source.url, undefined, '{type: bearer_token, secret: {secret: second}}'));
  });

  it('a new version with the same hosts needs nobody', async () => {
    await save(source.url);
    await expect(call(await save(source.url, '{path: /other}'))).resolves.toMatchObject({ output: { count: 1 } });
  });
});

describe('what a call leaves', () => {
  it('one event with what it did, also when it failed', async () => {
    const versionId = await save(source.url);
    source.play(reply(503), reply(200, {}, '[]'));
    await call(versionId);
    source.play(reply(404));
    await expect(call(versionId)).rejects.toMatchObject({ code: 'upstream_not_found' });
    expect(notes).toEqual([
      {
        type: 'source.called',
        payload: { connector: slug, endpoint: 'list', outcome: 'ok', requests: 2, requests_failed: 1, from_cache: 0 },
      },
      {
        type: 'source.called',
        payload: expect.objectContaining({ outcome: 'upstream_not_found', requests: 1 }),
      },
    ]);
  });

  it('a word about records that do not look as declared', async () => {
    const schema = 'output_schema: {type: record_set, fields: [{name: a, type: string}, {name: b, type: number}]}';
    const versionId = await save(source.url, `{path: /list, ${schema}}`);
    source.play(reply(200, {}, '[{"a": "x", "b": 1}]'));
    await call(versionId);
    source.play(reply(200, {}, '[{"a": 7, "c": true}]'));
    await call(versionId);
    expect(notes.filter(({ type }) => type === 'source.drift')).toEqual([
      {
        type: 'source.drift',
        payload: {
          connector: slug,
          endpoint: 'list',
          records: 1,
          count: 3,
          differences: [
            { kind: 'type', field: 'a', declared: 'string', seen: 'integer' },
            { kind: 'missing', field: 'b', declared: 'number' },
            { kind: 'new', field: 'c', seen: 'boolean' },
          ],
        },
      },
    ]);
  });

  it('at a wait: where it goes on, and what it has counted', async () => {
    const versionId = await save(source.url);
    source.play(reply(429, { 'retry-after': '60' }));
    const wait = (await call(versionId).catch((error: unknown) => error)) as SourceWait;
    expect(wait).toBeInstanceOf(SourceWait);
    expect(wait.resume).toMatchObject({ refusals: 1, tally: { requests: 1, failed: 1 } });
    expect(notes).toEqual([]);
    await db.admin.query('update connector_buckets set blocked_until = null');
    source.play(reply(200, {}, '[]'));
    await call(versionId, {}, { waitedMs: 60_000, resume: wait.resume! });
    expect(notes).toMatchObject([{ payload: { outcome: 'ok', requests: 2, requests_failed: 1 } }]);
  });

  it('the same event where it is gone before it could be called, with what was sent before the wait', async () => {
    const versionId = await save(source.url);
    const gone = { connectors: { [slug]: randomUUID() } };
    await expect(call(versionId, {}, gone)).rejects.toMatchObject({ code: 'connector_not_found' });
    source.play(reply(429, { 'retry-after': '60' }));
    const { resume } = (await call(versionId).catch((error: unknown) => error)) as SourceWait;
    await expect(call(versionId, {}, { ...gone, resume: resume! })).rejects.toMatchObject({
      code: 'connector_not_found',
    });
    const payload = { connector: slug, endpoint: 'list', outcome: 'connector_not_found', from_cache: 0 };
    expect(notes).toEqual([
      { type: 'source.called', payload: { ...payload, requests: 0, requests_failed: 0 } },
      { type: 'source.called', payload: { ...payload, requests: 1, requests_failed: 1 } },
    ]);
  });

  it('at a wait: whether something of it may have taken effect, however many waits there are', async () => {
    const versionId = await save(source.url, '{method: POST, path: /list, effect: keyed}');
    const waited = async (resume?: SourceWait): Promise<SourceWait> => {
      await db.admin.query('update connector_buckets set blocked_until = null');
      const more = resume === undefined ? {} : { resume: resume.resume! };
      return (await call(versionId, {}, more).catch((error: unknown) => error)) as SourceWait;
    };
    source.play(reply(429, { 'retry-after': '60' }));
    const refused = await waited();
    expect(refused).toMatchObject({ name: 'SourceWait', acted: false });
    source.play(reply(500), reply(429, { 'retry-after': '60' }));
    const failed = await waited(refused);
    expect(failed).toMatchObject({ name: 'SourceWait', acted: true });
    source.play(reply(429, { 'retry-after': '60' }));
    expect(await waited(failed)).toMatchObject({ name: 'SourceWait', acted: true });
  });

  it('max_wait_seconds counts all waits of the step', async () => {
    const versionId = await save(source.url);
    source.play(reply(429, { 'retry-after': '60' }));
    await expect(call(versionId, { max_wait_seconds: 100 }, { waitedMs: 50_000 })).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retry_after: 60 },
    });
  });
});

describe('a GraphQL source that has enough', () => {
  const save = () =>
    saveText(
      `{id: ${slug}, type: graphql, connection: {base_url: "${source.url}/graphql", auth: ${KEY}}, endpoints: {list: {query: "query Q { list { id } }", response_mapping: {results_path: data.list}}}}`,
    );
  const limited = '{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}';

  it('is waited for until its reset, and the call goes on as if nothing had been', async () => {
    const versionId = await save();
    const at = Math.ceil(Date.now() / 1000) + 90;
    source.play(reply(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(at) }, limited));
    const wait = (await call(versionId).catch((error: unknown) => error)) as SourceWait;
    expect(wait).toMatchObject({ name: 'SourceWait', reason: 'rate_limited', source: source.url });
    expect(wait.until).toBeGreaterThanOrEqual(at * 1000 - 1000);
    await db.admin.query('update connector_buckets set blocked_until = null');
    source.play(reply(200, {}, '{"data":{"list":[{"id":1}]}}'));
    await expect(call(versionId, {}, { waitedMs: 90_000, resume: wait.resume! })).resolves.toMatchObject({
      output: { count: 1 },
    });
    expect(notes).toMatchObject([{ payload: { outcome: 'ok', requests: 2, requests_failed: 1 } }]);
  });

  it('and refuses the credential in a 400 is told to the owner as after a 401', async () => {
    const versionId = await save();
    source.play(reply(400, {}, '{"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}'));
    await expect(call(versionId)).rejects.toMatchObject({ code: 'auth_failed' });
    expect(await bindings.states(OWNER, slug)).toMatchObject([
      { credential: 'key', state: 'auth_failed', status: 400 },
    ]);
  });
});

describe('a token service that refuses the client', () => {
  it.each([
    ['400 invalid_client', 400, '{"error":"invalid_client"}'],
    ['401', 401, '{"error":"invalid_client"}'],
  ])(
    '%s: the credential is auth_failed, told once, and nothing that it fetched stands in',
    async (_name, status, body) => {
      const auth = `{type: oauth2_client_credentials, token_url: "${decoy.url}/token", client_id: me, secret: {secret: key}}`;
      const endpoint = '{path: /list, cache: {ttl_seconds: 600, stale_if_error_seconds: 600}}';
      const versionId = await save(source.url, endpoint, auth);
      // A token that is over at once: each call asks for one.
      decoy.play(reply(200, {}, '{"access_token":"canary-token","expires_in":0.000001}'));
      await expect(call(versionId)).resolves.toMatchObject({ output: { count: 1 } });
      const kept = () => db.admin.query('select 1 from connector_cache where connector = $1', [slug]);
      expect(await kept()).toHaveLength(1);
      decoy.play(reply(status, {}, body));
      await expect(call(versionId)).rejects.toMatchObject({ code: 'auth_failed' });
      await expect(call(versionId)).rejects.toMatchObject({ code: 'auth_failed' });
      expect(source.seen).toHaveLength(1);
      expect(await kept()).toEqual([]);
      expect(await bindings.states(OWNER, slug)).toMatchObject([{ credential: 'key', state: 'auth_failed', status }]);
      expect(await told()).toHaveLength(1);
    },
  );

  it('for another reason says nothing of the credential', async () => {
    const auth = `{type: oauth2_client_credentials, token_url: "${decoy.url}/token", client_id: me, secret: {secret: key}}`;
    const versionId = await save(source.url, undefined, auth);
    decoy.play(reply(400, {}, '{"error":"invalid_request"}'));
    await expect(call(versionId)).rejects.toMatchObject({ code: 'upstream_rejected' });
    expect(await bindings.states(OWNER, slug)).toEqual([]);
  });

  const told = () =>
    db.admin.query(`select 1 from notifications where kind = 'connector_auth_failed' and title like $1`, [`%${slug}%`]);
});

describe('every place that a secret could go to', () => {
  const auth = 'auth: {type: bearer_token, secret: {secret: key}}';
  it.each<[string, string, string[]]>([
    [
      'an address and that of an endpoint',
      `{id: c, type: rest_api, connection: {base_url: "https://a.example/v1", ${auth}}, endpoints: {e: {path: /e}, f: {base_url: "https://b.example:8443/x", path: /f}}}`,
      ['https://a.example', 'https://b.example:8443'],
    ],
    [
      'where tokens come from',
      `{id: c, type: rest_api, connection: {base_url: "https://a.example", auth: {type: oauth2_client_credentials, token_url: "https://login.example/t", client_id: me, secret: {secret: key}}}, endpoints: {e: {path: /e}}}`,
      ['https://a.example', 'https://login.example'],
    ],
    [
      'feeds',
      `{id: c, type: rss_feed, connection: {feeds: [{name: a, url: "https://a.example/f"}, {name: b, url: "https://b.example/f"}], ${auth}}, endpoints: {e: {}}}`,
      ['https://a.example', 'https://b.example'],
    ],
  ])('%s', (_name, text, origins) => {
    const { definition, problems } = readConnector(text);
    expect({ problems: problems.filter(({ severity }) => severity === 'error') }).toEqual({ problems: [] });
    expect(secretOrigins(definition!)).toEqual(origins);
  });
});
