import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { TokenBuckets } from '../../src/http/token-buckets';
import { startApi, TWO_STEPS, type Answer, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ env: { AF_WRITES_PER_SECOND: '1' } });
});
afterAll(() => api.close());

it('a burst of runs is cut off, whatever it says of where it comes from (R02)', async () => {
  const start = (n: number): Promise<Answer> =>
    api.call(
      'POST',
      '/runs',
      { playbook: 'nothing', inputs: {} },
      { 'x-forwarded-for': `10.0.0.${n}`, forwarded: `for=10.0.0.${n}` },
    );
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => start(n)));
  const refused = answers.filter((answer) => answer.status === 429);
  expect(answers.filter((answer) => answer.status === 404).length).toBeGreaterThanOrEqual(10);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(answer.body.code).toBe('too_many_requests');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  // Reading goes on.
  expect((await api.call('GET', '/runs')).status).toBe(200);
  await expectSoon(async () => (await api.call('POST', '/playbooks', { source: TWO_STEPS })).status === 201);
});

async function expectSoon(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(100);
}

it('each key has tokens of its own, a burst of them at once, and then as many as come back', () => {
  const clock = { now: 0 };
  const buckets = new TokenBuckets(2, 3, () => clock.now);
  const take = (key: string): boolean => buckets.take(key) === 0;
  expect(['a', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, false]);
  expect(take('b')).toBe(true);
  expect(buckets.take('a')).toBeCloseTo(0.5);
  clock.now = 0.5;
  expect(['a', 'a'].map(take)).toEqual([true, false]);
  clock.now = 100;
  expect(['a', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, false]);
  for (let n = 0; n < 20_000; n += 1) take(`peer ${n}`);
  clock.now = 200;
  expect(take('a')).toBe(true);
});
