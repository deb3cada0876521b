import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { Simulator } from './simulator';

/** Named by an input, so that no rule of saving sees it. */
const HUGE = 'length(range({n})) > 1';
const text = (steps: string, output = ''): string =>
  `id: p\nname: P\ninputs: [{name: n, type: number, default: 1000000000}]\nsteps:\n${steps}${output}`;
const started = (steps: string, output = ''): Simulator =>
  new Simulator(text(steps, output), { inputs: { n: 1_000_000_000 } });
const finished = (sim: Simulator, step: string): JsonObject | undefined =>
  sim.events.find(({ type, payload }) => type === 'step.finished' && payload['step'] === step)?.payload;
const SLOW = '  - {name: b, step_type: tool, action: slow}\n';

describe('a condition that would need more than an expression may', () => {
  it('fails its step: it is neither true nor false', () => {
    const sim = started(`  - {name: a, step_type: tool, action: slow, on_error: skip, condition: "${HUGE}"}\n${SLOW}`);
    expect(finished(sim, 'a')).toMatchObject({ status: 'failed', error: { code: 'expression_too_large' } });
    sim.ok('b');
    expect(sim.finish).toMatchObject({ status: 'partial' });
  });

  it('ends a run whose step must not fail', () => {
    const sim = started(`  - {name: a, step_type: tool, action: slow, on_error: stop, condition: "${HUGE}"}\n${SLOW}`);
    expect(sim.finish).toMatchObject({ status: 'failed', code: 'expression_too_large' });
  });

  it('fails a loop', () => {
    const sim = started(
      `  - name: l\n    on_error: skip\n    loop: {until: "${HUGE}", max_iterations: 5, steps: [{name: a, step_type: tool, action: slow}]}\n${SLOW}`,
    );
    sim.ok('l[0]/a');
    expect(finished(sim, 'l')).toMatchObject({ status: 'failed', error: { code: 'expression_too_large' } });
  });

  it('fails a destination, which says so', () => {
    const sim = started(
      SLOW,
      `output:\n  template: brief\n  sections: [{title: A, source: b}]\n  destinations: [{type: document, condition: "${HUGE}"}]\n`,
    );
    sim.ok('b');
    expect(JSON.stringify(sim.of('run').at(-1) ?? sim.finish)).toContain('expression_too_large');
  });
});
