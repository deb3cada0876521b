import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createExchanger } from '../../../../infra/connectors/runtime/create-exchanger';
import type { Exchange } from '../../../../infra/connectors/runtime/exchange';
import { Patience } from '../../../../infra/connectors/runtime/patience';
import { SourceWait } from '../../../../infra/connectors/runtime/source-wait';
import { newTally } from '../../../../infra/connectors/runtime/tally';
import { ConnectorCallsStore } from '../../../../infra/db/stores/connector-calls.store';
import { OWNER, testDatabase, type TestDatabase } from '../../../db/db-fixture';
import {
  broken,
  exchange,
  reply,
  startScript,
  startWorker,
  type Reply,
  type Script,
  type TestWorker,
} from './runtime-fixture';

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
    expect(call.tally).toMatchObject({ requests: 2, failed: 1 });
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
    // Whoever comes next does not ask either.
    await expect(worker.call(asked)).rejects.toThrow(SourceWait);
    expect(source.seen).toHaveLength(1);
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
    const tally = newTally();
    const patience = new Patience({ maxWaitMs: 3_600_000, waitedMs: 0, refusals: 5 });
    const { egress, runtime } = worker;
    await createExchanger({ egress, runtime, patience, tally, by: {} })(exchange(source, more)).catch(() => undefined);
    expect(tally.acted).toBe(acted);
  });
});
