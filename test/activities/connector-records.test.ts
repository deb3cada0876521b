import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnectorActions } from '../../activities/actions/call-connector.actions';
import { createDataActions } from '../../activities/actions/data.actions';
import { openStores } from '../../activities/stores';
import type { Action, ActionContext, ActionOutcome, ActionTable } from '../../activities/actions/types';
import type { JsonObject } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import { PostgresBlobs } from '../../infra/blob/postgres-blobs';
import { readConnector } from '../../connectors/definition/read-connector';
import type { ConnectorRuntime } from '../../connectors/runtime/runtime';
import { SourceWait } from '../../connectors/runtime/limits/source-wait';
import { owner } from '../../infra/db/database';
import { ConnectorCallsStore, type CallRecord } from '../../infra/db/stores/connector-calls.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { OWNER, seedRun, testDatabase, type TestDatabase } from '../db/db-fixture';
import { connectorDeps, testContext } from '../support/connector-deps';
import { reply, startScript, type Script } from '../connectors/runtime/runtime-fixture';
import { stepDeps } from './step-deps';
import { newFolder } from '../support/run-folder';
import { testRuntime } from '../support/connector-runtime';

/** Calls of files, feeds and actions by a step: what they leave. */
const DOCUMENT = '11111111-1111-4111-8111-111111111111';
const CSV = 'name,amount\nAnn,1\nBo,2\n';

let db: TestDatabase;
let root: string;
let source: Script;
let runtime: ConnectorRuntime;
let connectors: ConnectorsStore<ConnectorDefinition>;
let action: Action;
beforeAll(async () => {
  db = await testDatabase();
  runId = await seedRun(db.database);
  root = newFolder('records');
  await writeFile(join(root, 'one.csv'), CSV);
  await writeFile(join(root, 'two.csv'), CSV);
  source = await startScript();
  const { database } = db;
  runtime = testRuntime(database, 'w');
  connectors = new ConnectorsStore(database);
  const allow = [{ host: '127.0.0.1', port: source.port }];
  const document = { name: 'three.csv', size: CSV.length, read: () => Promise.resolve(Buffer.from(CSV)) };
  const deps = connectorDeps({ allow, importRoots: [root], documents: { find: () => Promise.resolve(document) } });
  const table: ActionTable = createDataActions({
    stores: openStores(database),
    blobs: new PostgresBlobs(database),
    exportDir: root,
  });
  const tools = () => table;
  action = createConnectorActions({ ...stepDeps(deps, connectors, runtime), tools })['call_connector']!;
});
afterAll(async () => {
  await runtime?.close();
  await source?.close();
  await rm(root, { recursive: true });
  await db?.close();
});

let slug = '';
let notes: { type: string; payload: JsonObject }[] = [];
beforeEach(() => {
  slug = `c-${randomUUID()}`;
  notes = [];
});

async function save(rest: string): Promise<string> {
  const text = `{id: ${slug}, ${rest}}`;
  const { definition: body, problems } = readConnector(text);
  if (body === undefined) throw new Error(JSON.stringify(problems));
  const definition = { slug, name: slug, kind: body.type, content_hash: randomUUID(), source_format: 'yaml' as const };
  return (await connectors.save(OWNER, { ...definition, source: text, body })).version.id;
}

let runId = '';
function call(versionId: string, inputs: JsonObject = {}, more: Partial<ActionContext> = {}): Promise<ActionOutcome> {
  const context: ActionContext = {
    ...testContext({ ownerId: OWNER }),
    runId,
    playbookId: 'p',
    stepPath: 's',
    stepName: 's',
    tryNo: 1,
    clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
    connectors: { [slug]: versionId },
    note: (type, payload) => notes.push({ type, payload }),
    ...more,
  };
  return action({ action: 'call_connector', inputs, params: { connector: slug, endpoint: 'e' } }, context);
}

async function records(): Promise<CallRecord[]> {
  await runtime.recorder.flush();
  return (await new ConnectorCallsStore(db.database).calls(OWNER, slug)).items;
}
const called = (outcome: string, more: JsonObject = {}): object => ({
  type: 'source.called',
  payload: { connector: slug, endpoint: 'e', outcome, requests: 1, requests_failed: outcome === 'ok' ? 0 : 1, ...more },
});

describe('file_parser', () => {
  const FILES =
    'type: file_parser, connection: {source: [directory, upload], accepted_formats: [csv]}, endpoints: {e: {parser: csv, fields: [{field: name, column: name}]}}';

  it.each<[string, JsonObject, number, number]>([
    ['directory', { directory: '.' }, 2, 4],
    ['upload', { documents: DOCUMENT }, 1, 2],
  ])('%s: one record for the files of a call, with their bytes and items', async (from, inputs, files, items) => {
    const versionId = await save(FILES);
    await call(versionId, inputs);
    expect(await records()).toMatchObject([
      {
        version_id: versionId,
        run_id: runId,
        step_path: 's',
        origin: from,
        method: 'READ',
        status: null,
        outcome: 'ok',
        bytes: files * CSV.length,
        items,
      },
    ]);
    expect(notes).toMatchObject([called('ok')]);
  });

  it('files behind addresses: the requests alone', async () => {
    source.play(reply(200, { 'content-type': 'text/csv' }, CSV));
    const versionId = await save(FILES.replace('upload]', 'url]'));
    await call(versionId, { urls: `${source.url}/one.csv` });
    expect(await records()).toMatchObject([{ origin: source.url, method: 'GET', status: 200, bytes: CSV.length }]);
    expect(notes).toMatchObject([called('ok')]);
  });

  it('files behind addresses: after a wait between them none is fetched again', async () => {
    const versionId = await save(FILES.replace('upload]', 'url]'));
    const urls = ['one.csv', 'gone.csv', 'two.csv', 'three.csv'].map((name) => `${source.url}/${name}`);
    const [file, gone] = [reply(200, { 'content-type': 'text/csv' }, CSV), reply(404)];
    source.play(file, gone, file, file);
    const whole = await call(versionId, { urls });
    expect(whole).toMatchObject({ output: { count: 6, error_count: 1 } });

    source.play(file, gone, reply(429, { 'retry-after': '60' }));
    const wait = (await call(versionId, { urls }).catch((error: unknown) => error)) as SourceWait;
    expect(wait).toBeInstanceOf(SourceWait);
    // Copy as it travels: through JSON.
    const resume = JSON.parse(JSON.stringify(wait.resume)) as JsonObject;
    await db.admin.query('update connector_buckets set blocked_until = null');
    const before = source.seen.map(({ url }) => url);
    source.play(file);
    expect(await call(versionId, { urls }, { waitedMs: 60_000, resume })).toEqual(whole);
    expect([before, source.seen.map(({ url }) => url)]).toEqual([
      ['/one.csv', '/gone.csv', '/two.csv'],
      ['/two.csv', '/three.csv'],
    ]);
  });

  it('a failure has its code', async () => {
    const versionId = await save(FILES.replace('parser: csv', 'parser: xml').replace('column: name', 'xpath: name'));
    const failed = (await call(versionId, { directory: '.' }).catch((error: unknown) => error)) as { code: string };
    expect(await records()).toMatchObject([{ origin: 'directory', outcome: failed.code, items: null }]);
    expect(notes).toMatchObject([called(failed.code)]);
  });
});

describe('existing_tool', () => {
  const tool = (name: string, more = ''): string =>
    `type: existing_tool, connection: {tool: ${name}}, endpoints: {e: {${more}}}`;

  it('an action leaves a record and the event of a source', async () => {
    const versionId = await save(tool('transform_data', 'passthrough: false, response_mapping: {results_path: data}'));
    await call(versionId, { data: [{ n: 1 }, { n: 2 }], operations: [] });
    expect(await records()).toMatchObject([
      {
        version_id: versionId,
        run_id: runId,
        step_path: 's',
        origin: 'action:transform_data',
        method: 'CALL',
        outcome: 'ok',
        items: 2,
      },
    ]);
    expect(notes).toMatchObject([called('ok')]);
  });

  it.each([
    ['what the action reports', 'transform_data', { data: [], operations: [{ type: 'no_such' }] }],
    ['what this version does not have', 'search_web', { query: 'x' }],
  ])('so that a step that is skipped is named: %s', async (_what, name, inputs) => {
    const versionId = await save(tool(name));
    const failed = (await call(versionId, inputs as JsonObject).catch((error: unknown) => error)) as { code: string };
    expect(failed.code).toEqual(expect.any(String));
    expect(await records()).toMatchObject([{ origin: `action:${name}`, outcome: failed.code }]);
    expect(notes).toMatchObject([called(failed.code)]);
  });

  it('that is retired is not carried out, and its step is named', async () => {
    const versionId = await save(`retired: "use another", ${tool('write_journal_entry')}`);
    const refused = { code: 'connector_retired', message: expect.stringContaining('use another') };
    await expect(call(versionId, { summary: 'x' })).rejects.toMatchObject(refused);
    expect(notes).toMatchObject([called('connector_retired', { requests: 0, requests_failed: 0 })]);
    expect(await records()).toEqual([]);
  });

  it('what an action commits is counted when it is committed', async () => {
    const versionId = await save(tool('write_journal_entry'));
    const outcome = (await call(versionId, { summary: 'done' })) as Extract<ActionOutcome, { commit: unknown }>;
    expect([await records(), notes]).toEqual([[], []]);
    await db.database.tx(owner(OWNER), (sql) => outcome.commit(sql));
    expect(await records()).toMatchObject([{ origin: 'action:write_journal_entry', outcome: 'ok' }]);
    expect(notes).toMatchObject([called('ok')]);
  });

  it.each([
    ['is tried again after a deadlock', '40P01', 'ok', 2],
    ['is taken back after the action has done its part', '22012', 'interrupted', 1],
  ])('once, when the transaction %s', async (_what, sqlstate, outcome, tries) => {
    const versionId = await save(tool('write_journal_entry'));
    const given = (await call(versionId, { summary: 'done' })) as Extract<ActionOutcome, { commit: unknown }>;
    let tried = 0;
    const work = db.database.tx(owner(OWNER), async (sql) => {
      tried += 1;
      const output = await given.commit(sql);
      if (tried === 1) await sql.query(`do $$ begin raise sqlstate '${sqlstate}'; end $$`);
      return output;
    });
    await (outcome === 'ok' ? work : expect(work).rejects.toMatchObject({ code: sqlstate }));
    expect(tried).toBe(tries);
    expect(await records()).toMatchObject([{ origin: 'action:write_journal_entry', outcome }]);
  });
});

describe('rss_feed', () => {
  const feed =
    '<rss version="2.0"><channel><title>F</title><item><guid>a</guid><title>a</title></item></channel></rss>';
  const headers = { 'content-type': 'application/rss+xml', etag: '"one"' };
  const text = (more = '', cache = ''): string =>
    `type: rss_feed, connection: {feeds: [{name: f, url: "${source.url}/${slug}"}]${more}}, endpoints: {e: {${cache}}}`;
  const feedOf = (outcome: ActionOutcome): unknown =>
    'output' in outcome ? (outcome.output as { feeds: unknown[] }).feeds[0] : undefined;

  it('is not asked sooner than its source wants, and then only whether it has changed', async () => {
    source.play(reply(200, headers, feed), reply(304));
    const versionId = await save(text(', poll_interval_minutes: 30'));
    expect(feedOf(await call(versionId))).not.toHaveProperty('cache');
    expect(feedOf(await call(versionId))).toMatchObject({ cache: 'fresh', age_seconds: expect.any(Number), items: 1 });
    expect(source.seen).toHaveLength(1);
    await db.admin.query(`update connector_cache set fresh_until = now() - interval '1 s' where connector = $1`, [
      slug,
    ]);
    expect(feedOf(await call(versionId))).toMatchObject({ items: 1 });
    expect(source.seen.map((request) => request.headers['if-none-match'])).toEqual([undefined, '"one"']);
    expect((await records()).map(({ cache }) => cache)).toEqual(['revalidated', 'hit', 'miss']);
  });

  it('is kept as its endpoint says where that says something, and not at all where nobody does', async () => {
    source.play(reply(200, headers, feed));
    const own = await save(text(', poll_interval_minutes: 30', 'cache: {ttl_seconds: 600}'));
    await call(own);
    const [kept] = await db.admin.query<{ seconds: number }>(
      `select extract(epoch from fresh_until - stored_at)::int as seconds from connector_cache where connector = $1`,
      [slug],
    );
    expect(kept).toEqual({ seconds: 600 });
    const plain = await save(text());
    await call(plain);
    await call(plain);
    expect(source.seen).toHaveLength(3);
  });

  it('that fails shows nothing older because of its interval', async () => {
    source.play(reply(200, headers, feed), reply(503));
    const versionId = await save(text(', poll_interval_minutes: 30'));
    await call(versionId);
    await db.admin.query(
      `update connector_cache set fresh_until = now() - interval '1 s', stale_until = now() - interval '1 s' where connector = $1`,
      [slug],
    );
    await expect(call(versionId)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });
});
