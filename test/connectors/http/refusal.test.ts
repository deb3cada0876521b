import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpTransport } from '../../../connectors/http/create-transport';
import type { Exchange } from '../../../connectors/http/exchange';
import { identityAt } from '../../../connectors/runtime/identity';
import { WaitBudget } from '../../../connectors/runtime/limits/wait-budget';
import { SourceWait } from '../../../connectors/runtime/limits/source-wait';
import { newCallStats } from '../../../connectors/runtime/records/call-stats';
import { ConnectorCallsStore } from '../../../infra/db/stores/connector-calls.store';
import { OWNER, testDatabase, type TestDatabase } from '../../db/db-fixture';
import {
  broken,
  exchange,
  reply,
  startScript,
  startWorker,
  type Reply,
  type Script,
  type TestWorker,
} from '../runtime/runtime-fixture';

let db: TestDatabase;
let source: Script;
let worker: TestWorker;
beforeAll(async () => {
  db = await testDatabase();
  source = await startScript();
  worker = startWorker(db.database, source);
});
afterAll(async () => {
  await worker?.close();
  await source?.close();
  await db?.close();
});

describe('a refusal that stands in the body of a 200', () => {
  const tooMany = '{"errors":[{"message":"slow down","type":"RATE_LIMITED"}]}';
  const limited: NonNullable<Exchange['limited']> = ({ body }) =>
    Buffer.from(body).includes('RATE_LIMITED') ? {} : undefined;

  it('is waited for as a 429, recorded as one, and no failure of the source', async () => {
    source.play(reply(200, { 'retry-after': '1' }, tooMany), reply(200));
    const asked = exchange(source, { limited, connector: { id: 'limited' } });
    const call = await worker.call(asked);
    expect([call.response.status, source.seen.length]).toEqual([200, 2]);
    expect(call.stats).toMatchObject({ requests: 2, failed: 1 });
    await worker.runtime.recorder.flush();
    const { items } = await new ConnectorCallsStore(db.database).calls(OWNER, 'limited');
    expect(items.map(({ status, outcome }) => `${status} ${outcome}`).toSorted()).toEqual([
      '200 ok',
      '200 rate_limited',
    ]);
  });

  const soon = () => String(Math.ceil(Date.now() / 1000) + 30);
  it.each<[string, () => Record<string, string>, number, number | undefined]>([
    ['a reset header', () => ({ 'x-ratelimit-reset': soon(), 'x-ratelimit-remaining': '0' }), 28_000, undefined],
    ['a reset header although there is something left', () => ({ 'x-ratelimit-reset': soon() }), 28_000, undefined],
    ['what the body says', () => ({}), 40_000, 40_000],
    ['nothing: as long as after a 429 without a word', () => ({}), 16_000, undefined],
    ['a reset header that is over: the same', () => ({ 'x-ratelimit-reset': '1000000000' }), 16_000, undefined],
  ])('ends the call for now, by %s', async (_name, headers, atLeast, waitMs) => {
    source.play(reply(200, headers(), tooMany));
    const before = Date.now();
    const said = waitMs === undefined ? {} : { waitMs };
    const asked = exchange(source, { limited: (answer) => limited(answer) && said });
    const wait = await worker.call(asked, { refusals: 4 }).catch((error: unknown) => error);
    expect(wait).toMatchObject({ name: 'SourceWait', reason: 'rate_limited' });
    expect((wait as SourceWait).until - before).toBeGreaterThanOrEqual(atLeast);
    expect((wait as SourceWait).until - before).toBeLessThan(atLeast * 1.2 + 3000);
    // Calls that come later do not ask the source either.
    await expect(worker.call(asked)).rejects.toThrow(SourceWait);
    expect(source.seen).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each<[string, Reply]>([
    ['F14d without a word of the source', reply(429)],
    ['after `Retry-After: 0`', reply(429, { 'retry-after': '0' })],
    ['after a reset that is over', reply(429, { 'x-ratelimit-reset': '1000000000' })],
    ['after a 503 with `Retry-After: 0`', reply(503, { 'retry-after': '0' })],
    ['after a 403 with `Retry-After: 0`', reply(403, { 'retry-after': '0' })],
  ])('%s each is about twice as long as the one before', async (_name, refusal) => {
    source.play(refusal);
    const asked = exchange(source);
    const waits: number[] = [];
    for (let refusals = 3; refusals < 8; refusals += 1) {
      asked.credential = { name: randomUUID(), version: '1' };
      const before = Date.now();
      const wait = await worker.call(asked, { refusals }).catch((error: unknown) => error);
      waits.push((wait as SourceWait).until - before);
    }
    waits.forEach((wait, n) => {
      expect(wait).toBeGreaterThanOrEqual(8000 * 2 ** n);
      expect(wait).toBeLessThan(8000 * 2 ** n * 1.2 + 3000);
    });
  });
});

describe('a 503', () => {
  it.each<[string, () => Record<string, string>]>([
    ['x-ratelimit-reset', () => ({ 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 30) })],
    ['the combined header', () => ({ ratelimit: 'limit=10, remaining=3, reset=30' })],
  ])('on a read with %s alone is a failure: repeated, and told to the breaker', async (_name, headers) => {
    source.play(reply(503, headers()));
    const asked = exchange(source);
    expect((await worker.call(asked)).response.status).toBe(503);
    expect(source.seen).toHaveLength(4);
    const { breaker } = identityAt(source.url, OWNER, asked.credential?.name);
    const told = await db.admin.query('select failures from connector_breakers where key = $1', [breaker.key]);
    expect(told).toEqual([{ failures: 4 }]);
  });
});

describe('a 403', () => {
  const soon = () => String(Math.ceil(Date.now() / 1000) + 30);
  it.each<[string, () => Record<string, string>]>([
    ['a counter that stands at nothing', () => ({ 'x-ratelimit-reset': soon(), 'x-ratelimit-remaining': '0' })],
    ['Retry-After', () => ({ 'retry-after': '30' })],
  ])('with %s is a limit: the credential stays good', async (name, headers) => {
    const connector = { id: `limit-${name.length}` };
    source.play(reply(403, headers()), reply(200));
    const asked = exchange(source, { connector, credential: { name: `k-${name.length}`, version: '1' } });
    await expect(worker.call(asked)).rejects.toMatchObject({ name: 'SourceWait', reason: 'rate_limited' });
    expect(await worker.runtime.bindings.states(OWNER, connector.id)).toEqual([]);
    await worker.runtime.recorder.flush();
    const { items } = await new ConnectorCallsStore(db.database).calls(OWNER, connector.id);
    expect(items).toMatchObject([{ status: 403, outcome: 'rate_limited' }]);
  });

  it('with a counter that has something left refuses the credential', async () => {
    const connector = { id: 'left' };
    source.play(reply(403, { 'x-ratelimit-reset': soon(), 'x-ratelimit-remaining': '7' }));
    const call = await worker.call(exchange(source, { connector, credential: { name: 'k', version: '1' } }));
    expect(call.response.status).toBe(403);
    expect(await worker.runtime.bindings.states(OWNER, 'left')).toMatchObject([{ state: 'auth_failed' }]);
  });
});

describe('what may have taken effect', () => {
  it.each<[string, Reply[], Partial<Exchange>, true | undefined]>([
    ['nothing: all that left was refused', [reply(429, { 'retry-after': '60' })], { effect: 'keyed' }, undefined],
    ['a request that failed before the refusal', [reply(500), reply(429)], { effect: 'keyed' }, true],
    ['one that broke', [broken, reply(429)], { effect: 'idempotent' }, true],
    ['an accepted one', [reply(200)], { effect: 'unsafe' }, true],
    ['not one that says no', [reply(400)], { effect: 'unsafe' }, undefined],
    ['not one that only reads', [reply(500), reply(200)], {}, undefined],
    ['not one for a token', [reply(200)], { effect: 'idempotent', tokenRequest: true }, undefined],
  ])('%s', async (_name, replies, more, acted) => {
    source.play(...replies);
    const stats = newCallStats();
    const waits = new WaitBudget({ maxWaitMs: 3_600_000, waitedMs: 0, refusals: 5 });
    const { egress, runtime } = worker;
    await createHttpTransport({ egress, runtime, waits, stats, by: {} })(exchange(source, more)).catch(() => undefined);
    expect(stats.acted).toBe(acted);
  });
});
