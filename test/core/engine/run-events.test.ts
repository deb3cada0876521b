import { describe, expect, it } from '@jest/globals';
import { BROKEN, Simulator } from './simulator';

const head = 'id: p\nname: P\nsteps:\n';
const payloads = (sim: Simulator, type: string): unknown[] =>
  sim.events.filter((event) => event.type === type).map(({ payload: { at: _when, ...payload } }) => payload);

describe('what a run tells while it goes on', () => {
  it('its status, whenever it changes, with what it waits for', () => {
    const sim = new Simulator(
      `${head}  - {name: ask, step_type: approval, prompt: Go}\n  - {name: a, step_type: tool, action: slow}\n`,
    );
    expect(payloads(sim, 'run.status').at(-1)).toEqual({
      status: 'waiting_approval',
      waits: [expect.objectContaining({ kind: 'approval', step_path: 'ask' })],
    });
    sim.decide('ask', 'approved');
    expect(payloads(sim, 'run.status').at(-1)).toEqual({ status: 'running', waits: [] });
  });

  it('a step that waits for a person, and why', () => {
    const sim = new Simulator(`${head}  - {name: a, step_type: tool, action: slow}\n`);
    sim.send({ type: 'outcomes', id: sim.run('a').id, outcomes: [{ path: 'a', status: 'attention', error: BROKEN }] });
    expect(payloads(sim, 'step.waiting')).toEqual([
      { step: 'a', reason: 'attention', since: '2026-01-01T00:00:00.000Z', code: 'broken', message: 'It broke.' },
    ]);
  });

  it('a step that waits for its next try, and until when', () => {
    const sim = new Simulator(`${head}  - {name: a, step_type: tool, action: slow, retry_count: 1}\n`);
    sim.fail('a', { retryable: true });
    expect(payloads(sim, 'step.waiting')).toEqual([
      {
        step: 'a',
        reason: 'retry',
        since: '2026-01-01T00:00:00.000Z',
        until: '2026-01-01T00:00:00.500Z',
        try_no: 2,
        error: { code: 'broken', message: 'It broke.' },
      },
    ]);
  });

  it('how many steps are done, items of a list apart', () => {
    const sim = new Simulator(
      `${head}  - {name: a, step_type: tool, action: slow}\n  - {name: each, for_each: {items: [1, 2], as: n, steps: [{name: b, step_type: tool, action: slow}]}}\n`,
    );
    sim.ok('a');
    sim.ok('each[0]/b');
    expect(sim.state.stepsDone).toBe(1);
    sim.ok('each[1]/b');
    expect(sim.state.stepsDone).toBe(2);
  });
});

describe('how a run ends', () => {
  const failing = `${head}  - {name: a, step_type: tool, action: slow, on_error: stop}\n`;
  it.each([
    [true, true],
    [false, undefined],
  ])('after a failure that a repeat may cure (%s), it says so: %s', (retryable, told) => {
    const sim = new Simulator(failing);
    sim.fail('a', { retryable });
    expect(sim.finish).toMatchObject({
      status: 'failed',
      code: 'broken',
      message: expect.stringContaining('a: It broke.'),
    });
    expect(sim.finish?.retryable).toBe(told);
    expect(sim.finish !== undefined && 'retryable' in sim.finish).toBe(told !== undefined);
  });

  it('well, without a code and without a message', () => {
    const sim = new Simulator(`${head}  - {name: a, step_type: tool, action: slow}\n`);
    sim.ok('a', { a: { v: 1 } });
    expect(sim.finish).toMatchObject({ status: 'complete', outputs: { a: { value: { v: 1 } } } });
    for (const name of ['code', 'message', 'retryable']) expect(sim.finish).not.toHaveProperty(name);
    expect(sim.types('step.finished')).toEqual([]);
  });

  it.each([
    ['title: "Of {a.v}", ', 'Of {a.v}'],
    ['', 'P'],
  ])('with an output that has the title %j, or the name of the playbook', (title, written) => {
    const sim = new Simulator(
      `${head}  - {name: a, step_type: tool, action: slow}\noutput: {${title}save_to: document, sections: [{title: A, source: a}]}\n`,
    );
    sim.ok('a', { a: { v: 1 } });
    expect(JSON.stringify(sim.run('$output').units[0])).toContain(`"title":${JSON.stringify(written)}`);
  });

  it('when it was cancelled, after each call was told to stop once', () => {
    const sim = new Simulator(
      `${head}  - {name: both, action: parallel, parallel_steps: [{name: a, step_type: tool, action: slow}, {name: b, step_type: tool, action: slow}]}\n`,
    );
    sim.send({ type: 'cancel' });
    expect(sim.last.filter(({ kind }) => kind === 'cancel')).toHaveLength(2);
    sim.fail('both/a', { code: 'cancelled' });
    expect(sim.last.filter(({ kind }) => kind === 'cancel')).toEqual([]);
    sim.fail('both/b', { code: 'cancelled' });
    expect(sim.finish).toMatchObject({ status: 'cancelled' });
  });
});
