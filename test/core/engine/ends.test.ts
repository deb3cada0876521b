import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { Simulator } from './simulator';

const text = (steps: string, output = ''): string =>
  `id: p\nname: P\ninputs: [{name: n, type: number, default: 0}]\nsteps:\n${steps}${output}`;
const ZERO = { inputs: { n: 0 } };
const slow = (name: string, more = ''): string => `  - {name: ${name}, step_type: tool, action: slow${more}}\n`;
const OUTPUT = 'output:\n  template: brief\n  sections: [{title: A, source: a}]\n  destinations: [{type: document}]\n';
const finished = (sim: Simulator, step: string): JsonObject | undefined =>
  sim.events.find(({ type, payload }) => type === 'step.finished' && payload['step'] === step)?.payload;

describe('end', () => {
  it('ends the run with its status, code and message, and nothing behind it begins', () => {
    const sim = new Simulator(
      text(`${slow('a')}  - {name: e, end: {status: partial, code: no_data, message: "n is {n}"}}\n${slow('b')}`),
      ZERO,
    );
    sim.ok('a');
    expect(sim.finish).toMatchObject({ status: 'partial', code: 'no_data', message: 'n is 0' });
    expect(finished(sim, 'b')).toBeUndefined();
    expect(sim.finish?.outputs['e']).toEqual({ value: { status: 'partial', code: 'no_data', message: 'n is 0' } });
  });

  it('is complete without more, and only where its condition holds', () => {
    const steps = `  - {name: e, condition: "{n} == 0", end: {}}\n${slow('b')}`;
    expect(new Simulator(text(steps), ZERO).finish).toMatchObject({ status: 'complete', code: 'ended_by_playbook' });
    const sim = new Simulator(text(steps), { inputs: { n: 1 } });
    sim.ok('b');
    expect(sim.finish).toMatchObject({ status: 'complete' });
    expect(sim.finish?.code).toBeUndefined();
  });

  it('writes the output of a run that ends well', () => {
    const sim = new Simulator(text(`${slow('a')}  - {name: e, end: {message: early}}\n${slow('b')}`, OUTPUT));
    sim.ok('a');
    sim.ok('$output', { $output: { summary: 'Done', success: true, routing_report: [] } });
    expect(sim.finish).toMatchObject({ status: 'complete', summary: 'Done', message: 'early' });
  });

  it('says partial of a run that lacks something, with both reasons', () => {
    const sim = new Simulator(text(`${slow('a', ', on_error: skip')}  - {name: e, end: {message: early}}\n`));
    sim.fail('a', { retryable: false });
    expect(sim.finish).toMatchObject({ status: 'partial', code: 'ended_by_playbook' });
    expect(sim.finish?.message).toMatch(/^early .*a/);
  });

  it('waits for what has begun, in lists too', () => {
    const each =
      '  - name: each\n    for_each: {items: [1, 2, 3], max_parallel: 2, steps: [{name: s, step_type: tool, action: slow}, {name: e, condition: "{item} == 1", end: {message: one}}]}\n';
    const sim = new Simulator(text(`${each}${slow('b')}`));
    sim.ok('each[0]/s');
    expect(sim.finish).toBeUndefined();
    sim.ok('each[1]/s');
    expect(sim.finish).toMatchObject({ status: 'complete', message: 'one' });
    expect(sim.events.some(({ payload }) => payload['step'] === 'b')).toBe(false);
  });

  it('ends loops, routes and parallel steps', () => {
    const e = '{name: e, end: {status: partial}}';
    const shapes = [
      `  - name: l\n    loop: {until: "1 == 2", max_iterations: 5, steps: [${e}]}\n`,
      `  - name: r\n    route: {on: "x", routes: {x: [${e}]}}\n`,
      `  - {name: p, action: parallel, parallel_steps: [${e}, {name: q, step_type: tool, action: slow}]}\n`,
    ];
    for (const shape of shapes) {
      const sim = new Simulator(text(`${shape}${slow('b')}`));
      if (sim.finish === undefined) sim.ok('p/q');
      expect(sim.finish).toMatchObject({ status: 'partial' });
    }
  });

  it('gives way to a cancel', () => {
    const sim = new Simulator(text(`${slow('a')}  - {name: e, end: {}}\n`, OUTPUT));
    sim.ok('a');
    sim.send({ type: 'cancel' });
    sim.ok('$output', { $output: { success: true, routing_report: [] } });
    expect(sim.finish?.status).toBe('cancelled');
  });
});

describe('fail', () => {
  it('fails its step and the run', () => {
    const sim = new Simulator(
      text(`  - {name: f, condition: "{n} < 1", fail: "too few: {n}"}\n${slow('b')}`, OUTPUT),
      ZERO,
    );
    expect(finished(sim, 'f')).toMatchObject({
      status: 'failed',
      error: { code: 'ended_by_playbook', message: 'too few: 0' },
    });
    expect(sim.finish).toMatchObject({ status: 'failed', code: 'ended_by_playbook', message: 'Step f: too few: 0' });
  });

  it('has the code of its long form', () => {
    const sim = new Simulator(text('  - {name: f, end: {status: failed, code: no_rows, message: none}}\n'));
    expect(sim.finish).toMatchObject({ status: 'failed', code: 'no_rows' });
  });
});
