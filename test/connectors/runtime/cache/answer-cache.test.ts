import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Mask } from '../../../../infra/secrets/mask';
import type { Exchange } from '../../../../connectors/http/exchange';
import { testDatabase, type TestDatabase } from '../../../db/db-fixture';
import {
  broken,
  exchange,
  type ExchangeOptions,
  reply,
  startScript,
  startWorker,
  storedVersion,
  type Reply,
  type Script,
  type TestWorker,
} from '../runtime-fixture';

let db: TestDatabase;
let source: Script;
let worker: TestWorker;
let versionId = '';
beforeAll(async () => {
  db = await testDatabase();
  source = await startScript();
  worker = startWorker(db.database, source);
  versionId = await storedVersion(db.database);
});
afterAll(async () => {
  await worker?.close();
  await source?.close();
  await db?.close();
});

let number = 0;
function kept(more: ExchangeOptions = {}): Exchange {
  number += 1;
  const cache = { ttl_seconds: 60, stale_if_error_seconds: 600 };
  return exchange(source, { versionId, cache, path: `/kept/${number}`, ...more });
}
/** Makes all cached answers too old; they may still be used when the source fails. */
const expire = () =>
  db.admin.query(
    `update connector_cache set fresh_until = now() - interval '1 s', stored_at = stored_at - interval '100 s'`,
  );
const bodyOf = ({ response }: { response: { body: Uint8Array } }) => Buffer.from(response.body).toString();

describe('answers that are kept', () => {
  it('are given without a request, also by another worker', async () => {
    source.play(reply(200, {}, '"one"'));
    const asked = kept();
    expect(await worker.call(asked)).toMatchObject({ from: 'source', attempts: 1 });
    const other = startWorker(db.database, source);
    const again = await other.call(asked);
    expect(again).toMatchObject({ from: 'cache', attempts: 0, ageSeconds: 0 });
    expect(bodyOf(again)).toBe('"one"');
    expect(source.seen).toHaveLength(1);
    await other.close();
  });

  it('are those that somebody could read: another leaves the older one in its place', async () => {
    source.play(
      reply(200, {}, '"good"'),
      reply(200, {}, '<p>maintenance</p>'),
      reply(503),
      reply(503),
      reply(503),
      reply(503),
    );
    const asked = kept();
    await worker.call(asked);
    await expire();
    expect(bodyOf(await worker.call(asked, { unread: true }))).toBe('<p>maintenance</p>');
    const stale = await worker.call(asked);
    expect(stale).toMatchObject({ from: 'stale_cache' });
    expect(bodyOf(stale)).toBe('"good"');
  });

  it('are asked about by their validators when their time is over', async () => {
    source.play(reply(200, { etag: '"v1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }, '"one"'), (response) =>
      response.writeHead(304, { etag: '"v1"' }).end(),
    );
    const asked = kept();
    await worker.call(asked);
    await expire();
    const revived = await worker.call(asked);
    expect(source.seen[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
    });
    expect(revived).toMatchObject({ from: 'cache', ageSeconds: 0, response: { status: 200 } });
    expect(bodyOf(revived)).toBe('"one"');
    expect(await worker.call(asked)).toMatchObject({ from: 'cache', attempts: 0 });
  });

  it.each<[string, Reply]>([
    ['5xx', reply(503)],
    ['a broken connection', broken],
    ['a wait that is too long', reply(429, { 'retry-after': '9000' })],
  ])('stand in, marked with their age, for %s', async (_name, failing) => {
    source.play(reply(200, {}, '"old"'), failing);
    const asked = kept();
    await worker.call(asked);
    await expire();
    const stale = await worker.call(asked);
    expect(stale).toMatchObject({
      from: 'stale_cache',
      response: { status: 200 },
      stats: { staleSeconds: stale.ageSeconds },
    });
    expect(stale.ageSeconds).toBeGreaterThanOrEqual(100);
    expect(bodyOf(stale)).toBe('"old"');
  });

  it('never stand in for a refused credential, and go with it', async () => {
    source.play(reply(200, {}, '"old"'), reply(403), reply(503));
    const asked = kept();
    await worker.call(asked);
    await expire();
    expect((await worker.call(asked)).response.status).toBe(403);
    expect((await worker.call(asked)).response.status).toBe(503);
  });

  it.each([
    [401, 'all'],
    [403, 'those of its endpoint'],
  ])('go after a %i of one endpoint: %s', async (status, gone) => {
    source.play(reply(200, {}, '"one"'), reply(200, {}, '"two"'), reply(status), reply(503));
    const asked = kept();
    const other = { ...asked, call: { ...asked.call, name: 'other' } };
    await worker.call(asked);
    await worker.call(other);
    await expire();
    expect((await worker.call(asked)).response.status).toBe(status);
    expect((await worker.call(asked)).response.status).toBe(503);
    const left = await worker.call(other);
    expect([left.response.status, left.from]).toEqual(gone === 'all' ? [503, 'source'] : [200, 'stale_cache']);
  });

  it('do not stand in when the connector does not say for how long', async () => {
    source.play(reply(200, {}, '"old"'), reply(503));
    const asked = kept({ cache: { ttl_seconds: 60, stale_if_error_seconds: 0 } });
    await worker.call(asked);
    await db.admin.query(
      `update connector_cache set fresh_until = now() - interval '1 s', stale_until = now() - interval '1 s'`,
    );
    expect((await worker.call(asked)).response.status).toBe(503);
  });
});

describe('what is not kept', () => {
  const mask = new Mask(['hunter2']);
  it.each<[string, Reply, ExchangeOptions]>([
    ['an effect', reply(200), { effect: 'idempotent' }],
    ['no-store', reply(200, { 'cache-control': 'private, No-Store' }), {}],
    ['an answer with a cookie', reply(200, { 'set-cookie': 'a=b' }), {}],
    ['an answer that is never the same', reply(200, { vary: '*' }), {}],
    ['404', reply(404), {}],
    ['a private answer without a credential', reply(200, { 'cache-control': 'private' }), { credential: undefined }],
    ['an answer that repeats the secret', reply(200, {}, '{"you": "hunter2"}'), { mask }],
    ['an answer of a definition that is not stored', reply(200), { versionId: undefined }],
    ['more than 2 MB', reply(200, {}, 'x'.repeat(2_100_000)), {}],
    ['without a policy', reply(200), { cache: undefined }],
  ])('%s', async (_name, answer, more) => {
    source.play(answer);
    const asked = kept(more);
    await worker.call(asked);
    await worker.call(asked);
    expect(source.seen).toHaveLength(2);
  });

  it('no-cache is kept and asked about each time', async () => {
    source.play(reply(200, { 'cache-control': 'no-cache', etag: '"1"' }, '"one"'), (response) =>
      response.writeHead(304).end(),
    );
    const asked = kept();
    await worker.call(asked);
    expect(bodyOf(await worker.call(asked))).toBe('"one"');
    expect(source.seen).toHaveLength(2);
  });

  it('of another credential version, query, body, header or endpoint', async () => {
    source.play(reply(200));
    const asked = kept({ path: '/same?a=1&b=2' });
    await worker.call(asked);
    const { call, request } = asked;
    const others: Partial<Exchange>[] = [
      { credential: { name: asked.credential?.name ?? '', version: '2' } },
      { request: { ...request, url: `${source.url}/same?a=1&b=3` } },
      { request: { ...request, method: 'POST', body: '{}' } },
      { request: { ...request, headers: { accept: 'text/csv' } } },
      { call: { ...call, name: 'other' } },
      { call: { ...call, versionId: await storedVersion(db.database) } },
    ];
    for (const other of others) expect(await worker.call({ ...asked, ...other })).toMatchObject({ from: 'source' });
    const turned = { ...request, url: `${source.url}/same?b=2&a=1` };
    expect(await worker.call({ ...asked, request: turned })).toMatchObject({ from: 'cache' });
  });
});
