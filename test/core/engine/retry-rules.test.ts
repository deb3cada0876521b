import { describe, expect, it } from '@jest/globals';
import type { StepError } from '../../../core/errors/app-error';
import { Simulator } from './simulator';

const text = (more: string): string => `id: p\nname: P\nsteps:\n  - {name: a, step_type: tool, action: slow${more}}\n`;

/** Tries until nothing is tried any more. */
function triesOf(more: string, error: Partial<StepError>): number {
  const sim = new Simulator(text(more));
  for (let count = 1; ; count++) {
    sim.fail('a', error);
    if (sim.of('timer').length === 0) return count;
    sim.timer('retry');
  }
}

describe('retry_on', () => {
  const of = (code: string, retryable = false): Partial<StepError> => ({ code, retryable, category: 'upstream' });

  it.each<[string, Partial<StepError>, number]>([
    [', retry_count: 2, retry_on: [http_404]', of('http_404'), 3],
    [', retry_count: 2, retry_on: [http_404]', of('http_503', true), 1],
    [', retry_count: 2, retry_on: [http_404, http_503]', of('http_503', true), 3],
    [', retry_count: 2', of('http_404'), 1],
    [', on_error: retry, retry_on: [http_404]', of('http_404'), 2],
    [', retry_count: 2, retry_on: [effect_not_done]', of('effect_not_done'), 1],
    [', retry_count: 2, retry_on: [llm_refused]', of('llm_refused'), 1],
    [
      ', retry_count: 2, retry_on: [invalid_input]',
      { code: 'invalid_input', category: 'validation', retryable: false },
      1,
    ],
  ])('%s after %j: %d tries', (more, error, tries) => {
    expect(triesOf(more, error)).toBe(tries);
  });
});

describe('retry_delay_seconds', () => {
  /** Pauses in seconds. */
  function pausesOf(more: string, tries: number, runId = 'run-1', error: Partial<StepError> = {}): number[] {
    const sim = new Simulator(text(more), { runId });
    return Array.from({ length: tries }, () => {
      sim.fail('a', { retryable: true, ...error });
      const [timer] = sim.of('timer');
      const pause = ((timer?.at ?? 0) - sim.now) / 1_000;
      sim.timer('retry');
      return pause;
    });
  }

  it('doubles from the first one on, up to a fifth more', () => {
    const pauses = pausesOf(', retry_count: 5, retry_delay_seconds: 600', 5);
    [600, 1_200, 2_400, 3_600, 3_600].forEach((base, at) => {
      expect(pauses[at]).toBeGreaterThanOrEqual(base);
      expect(pauses[at]).toBeLessThanOrEqual(base * 1.2);
    });
    expect(pausesOf(', retry_count: 5, retry_delay_seconds: 600', 5)).toEqual(pauses);
    expect(pausesOf(', retry_count: 5, retry_delay_seconds: 600', 5, 'run-2')).not.toEqual(pauses);
  });

  it('stays as it was without it, and gives way to what the source asks for', () => {
    expect(pausesOf(', retry_count: 8', 8)).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30]);
    const asked = { details: { retry_after_ms: 7_000 } };
    expect(pausesOf(', retry_count: 1, retry_delay_seconds: 600', 1, 'run-1', asked)).toEqual([7]);
  });
});
