import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Exchange } from '../../../../connectors/http/exchange';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from '../../../db/db-fixture';
import { waitUntil } from '../../../support/wait-until';
import { exchange, reply, startScript, startWorker, type Script } from '../runtime-fixture';

let db: TestDatabase;
let source: Script;
beforeAll(async () => {
  db = await testDatabase();
  source = await startScript();
});
afterAll(async () => {
  await source?.close();
  await db?.close();
});

it('the burst of one owner leaves another their turn at a source that lets one request a second pass and says so only by refusing', async () => {
  const workers = [startWorker(db.database, source), startWorker(db.database, source)] as const;
  const stop = new AbortController();
  const keyless = (ownerId: string, signal = new AbortController().signal): Exchange => {
    const { credential: _none, ...asked } = exchange(source, { ownerId, signal, deadline: Date.now() + 120_000 });
    return { ...asked, request: { ...asked.request, headers: { 'x-owner': ownerId } } };
  };
  let closedUntil = 0;
  let refused = 0;
  const served: string[] = [];
  source.play((response, request) => {
    if (Date.now() < closedUntil) {
      refused += 1;
      return reply(429, { 'retry-after': '1' })(response, request);
    }
    closedUntil = Date.now() + 1000;
    served.push(request.headers['x-owner'] === OWNER ? 'greedy' : 'modest');
    return reply(200)(response, request);
  });

  const greedy = Array.from({ length: 24 }, (_each, n) =>
    workers[n % 2 === 0 ? 0 : 1].call(keyless(OWNER, stop.signal)),
  );
  const ends = Promise.allSettled(greedy);
  await waitUntil('the source to refuse', () => Promise.resolve(refused > 0));
  const before = served.length;
  const done = await workers[0].call(keyless(STRANGER));
  const meanwhile = served.slice(before);
  stop.abort(new Error('enough'));
  await ends;
  expect(done.response.status).toBe(200);
  // Calls that are ahead by chance, or were under way when the other came; 24 want one.
  expect(meanwhile.filter((name) => name === 'greedy').length).toBeLessThanOrEqual(3);
  expect(meanwhile.at(-1)).toBe('modest');
  await Promise.all(workers.map((worker) => worker.close()));
});
