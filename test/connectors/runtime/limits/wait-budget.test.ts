import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WaitBudget } from '../../../../connectors/runtime/limits/wait-budget';

let now = 0;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A wait that ends when it is told to. */
function waitOf(waits: WaitBudget): { end: () => Promise<unknown>; fail: () => Promise<unknown> } {
  let resolve = (): void => undefined;
  let reject = (_error: Error): void => undefined;
  const promise = new Promise<void>((...ends) => ([resolve, reject] = ends));
  const waited = waits.asleep(() => promise).catch((error: unknown) => error);
  const settle = (how: () => void) => (): Promise<unknown> => {
    how();
    return waited;
  };
  return { end: settle(resolve), fail: settle(() => reject(new Error('stopped'))) };
}

const patient = (maxWaitMs = 3_600_000): WaitBudget => new WaitBudget({ maxWaitMs, waitedMs: 0, refusals: 0 });
const waiting = () => ({ signal: new AbortController().signal, deadline: now + 60_000, origin: 'https://a.example' });

describe('the time that a call waited', () => {
  it('counts once where feeds wait side by side, and the gap between two waits not at all', async () => {
    const waits = patient();
    const first = waitOf(waits);
    now += 100;
    const second = waitOf(waits);
    now += 200;
    await first.end();
    expect(waits.sleptMs).toBe(300);
    now += 50;
    expect(waits.sleptMs).toBe(350);
    await second.end();
    now += 1_000;
    expect(waits.sleptMs).toBe(350);
    const third = waitOf(waits);
    now += 40;
    await third.end();
    expect(waits.sleptMs).toBe(390);
  });

  it('counts also where the wait was stopped', async () => {
    const waits = patient();
    const stopped = waitOf(waits);
    now += 70;
    expect(await stopped.fail()).toBeInstanceOf(Error);
    now += 500;
    expect(waits.sleptMs).toBe(70);
  });

  it('is no part of the step’s time also where another feed still waits when the call ends for now', async () => {
    const waits = patient();
    const other = waitOf(waits);
    now += 120;
    const met = await waits.wait(30_000, 'rate_limited', waiting()).catch((error: unknown) => error);
    expect(met).toMatchObject({ name: 'SourceWait', sleptMs: 120 });
    await other.end();
  });

  it('counts against max_wait_seconds as time on the wall, not as the sum of the feeds', async () => {
    const waits = patient(10_000);
    const feeds = [waitOf(waits), waitOf(waits), waitOf(waits)];
    now += 4_000;
    await Promise.all(feeds.map(({ end }) => end()));
    // The sum would be 12 s.
    await expect(waits.wait(6_000, 'rate_limited', waiting())).rejects.toMatchObject({ name: 'SourceWait' });
    await expect(waits.wait(6_001, 'rate_limited', waiting())).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('a call that has to wait says before when it comes again, and not where it does not wait at all', async () => {
    const told: number[] = [];
    const comesBack = (ms: number): Promise<void> => Promise.resolve(void told.push(ms));
    const asked = { ...waiting(), comesBack };
    await expect(patient(1_000).wait(2_000, 'rate_limited', asked)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(told).toEqual([]);
    await expect(patient().wait(20_000, 'rate_limited', asked)).rejects.toMatchObject({ name: 'SourceWait' });
    expect(told).toHaveLength(1);
    expect(told[0]).toBeGreaterThanOrEqual(20_000);
  });
});
