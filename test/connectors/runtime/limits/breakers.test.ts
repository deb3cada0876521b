import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, STRANGER, type TestDatabase } from '../../../db/db-fixture';
import {
  exchange,
  reply,
  startScript,
  startWorker,
  type Reply,
  type Script,
  type TestWorker,
} from '../runtime-fixture';

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

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? '',
  );

describe('a source that fails', () => {
  it('is asked no more after failures in a row, by any worker, and others are not touched by it', async () => {
    source.play(reply(503));
    const asked = exchange(source);
    await worker.call(asked);
    await worker.call(asked);
    expect(source.seen).toHaveLength(5);
    const other = startWorker(db.database, source);
    const near = { ...asked, call: { ...asked.call, deadline: Date.now() + 2000 } };
    for (const each of [worker, other, worker])
      await expect(each.call(near)).rejects.toMatchObject({
        code: 'upstream_unavailable',
        retryable: true,
        details: { breaker: 'open' },
      });
    expect(source.seen).toHaveLength(5);
    source.play(reply(200));
    expect((await other.call(exchange(source))).response.status).toBe(200);
    expect(
      (await other.call({ ...asked, call: { ...asked.call, ownerId: STRANGER, secretOwner: STRANGER } })).response
        .status,
    ).toBe(200);
    await other.close();
  });

  it('is waited for when its time is nearly over; one tries, and all go on when it is back', async () => {
    source.play(reply(500));
    const asked = exchange(source);
    await worker.call(asked);
    await worker.call(asked);
    const slow: Reply = (response) => void setTimeout(() => response.end('{}'), 200);
    source.play(slow, reply(200));
    const later = { ...asked, call: { ...asked.call, deadline: Date.now() + 60_000 } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => codeOf(worker.call(later))));
    expect(answers).toEqual(Array(8).fill('ok'));
    expect(source.seen).toHaveLength(8);
  });

  it.each<[string, Reply]>([
    ['a refusal', reply(429, { 'retry-after': '0' })],
    ['a fault of ours', reply(400)],
    ['a refused credential', reply(401)],
    ['what is not there', reply(404)],
  ])('%s is no failure of the source', async (_name, answer) => {
    const asked = exchange(source);
    const until = (ms: number) => ({ ...asked, call: { ...asked.call, deadline: Date.now() + ms } });
    source.play(answer);
    for (let n = 0; n < 7; n += 1) await codeOf(worker.call(until(300)));
    source.play(reply(200));
    expect((await worker.call(until(30_000))).response.status).toBe(200);
  });
});
