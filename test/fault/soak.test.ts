import { describe, expect, it } from '@jest/globals';
import { growth } from '../soak/memory';
import { soak } from '../soak/soak';

describe('the soak', () => {
  it('ends with its ledger in order after a short look: load, faults, decisions, memory', async () => {
    const { problems, runs, requests, faults, memory } = await soak({
      minutes: 0.4,
      faultEverySeconds: 8,
      startEveryMs: 500,
    });
    expect(problems).toEqual([]);
    expect(runs).toBeGreaterThan(0);
    expect(requests).toBeGreaterThan(runs);
    expect(Object.values(faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    expect(memory.length).toBeGreaterThan(0);
  });

  it('tells growth from the samples after the first minutes alone', () => {
    const samples = Array.from({ length: 60 }, (_unused, minute) => ({
      minute,
      mb: minute < 10 ? minute * 50 : 500 + minute,
    }));
    expect(growth(samples, 10)).toBeCloseTo(60);
    expect(growth(samples.slice(0, 12), 10)).toBeUndefined();
  });
});
