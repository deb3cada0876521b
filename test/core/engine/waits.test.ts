import { describe, expect, it } from '@jest/globals';
import type { SourceWaitFacts } from '../../../core/engine/inbox';
import { Simulator } from './simulator';

const STEP =
  'id: p\nname: P\nsteps:\n  - {name: call, step_type: tool, action: slow, timeout_seconds: 100, retry_count: 1}\n  - {name: end, step_type: tool, action: slow}\n';
const RESEARCH = `id: p
name: P
steps:
  - name: look
    step_type: llm_task
    action: research_with_tools
    params: {tools: [slow], max_rounds: 3}
    inputs: {question: what}
    output_schema: {type: object, fields: [{name: answer, type: string}]}
`;
const SECOND = 1000;

function wait(sim: Simulator, path: string, facts: Partial<SourceWaitFacts> = {}): void {
  const until = sim.now + 60 * SECOND;
  const base = { until, reason: 'rate_limited', source: 'https://api.example', spentMs: 2 * SECOND };
  sim.send({
    type: 'outcomes',
    id: sim.run(path).id,
    outcomes: [{ path, status: 'waiting', wait: { ...base, ...facts } }],
  });
}

describe('a wait for a source', () => {
  it('counts what the source asked for, however late the run hears of it', () => {
    const sim = new Simulator(STEP);
    const { now } = sim;
    sim.now += 3600 * SECOND;
    wait(sim, 'call', { until: now + 60 * SECOND, askedMs: 60 * SECOND });
    sim.timer('retry');
    expect(sim.run('call').units).toMatchObject([{ waitedMs: 60 * SECOND }]);
  });

  it('is a timer of the run, neither a try nor a part of the step’s time', () => {
    const sim = new Simulator(STEP);
    wait(sim, 'call', { resume: { value: { page: 3 } } });
    expect(sim.of('run')).toEqual([]);
    expect(sim.of('timer')).toMatchObject([{ at: sim.now + 60 * SECOND }]);
    expect(sim.patches.at(-1)).toMatchObject({
      status: 'running',
      waits: [
        {
          kind: 'source',
          step_path: 'call',
          reason: 'rate_limited',
          source: 'https://api.example',
          since: '2026-01-01T00:00:00.000Z',
          until: '2026-01-01T00:01:00.000Z',
        },
      ],
    });
    expect(sim.events.at(-2)).toMatchObject({
      type: 'step.waiting',
      payload: { reason: 'rate_limited', source: 'https://api.example', until: '2026-01-01T00:01:00.000Z', try_no: 1 },
    });
    sim.timer('retry');
    expect(sim.run('call').units).toMatchObject([
      { tryNo: 1, waitedMs: 60 * SECOND, resume: { value: { page: 3 } }, timeoutMs: 98 * SECOND },
    ]);
    wait(sim, 'call', { spentMs: 97.5 * SECOND });
    sim.timer('retry');
    const [unit] = sim.run('call').units;
    expect(unit).toMatchObject({ tryNo: 1, waitedMs: 120 * SECOND, timeoutMs: SECOND });
    expect(unit).not.toHaveProperty('resume');
    sim.ok('call');
    sim.ok('end');
    expect(sim.finish).toMatchObject({ status: 'complete' });
  });

  it('a failure after it is tried again from the beginning, with its whole time', () => {
    const sim = new Simulator(STEP);
    wait(sim, 'call', { resume: { value: 1 } });
    sim.timer('retry');
    sim.fail('call', { retryable: true });
    sim.timer('retry');
    const [unit] = sim.run('call').units;
    expect(unit).toMatchObject({ tryNo: 2, timeoutMs: 100 * SECOND });
    expect(unit).not.toHaveProperty('waitedMs');
    expect(unit).not.toHaveProperty('resume');
  });

  it('that is over already ends at once', () => {
    const sim = new Simulator(STEP);
    wait(sim, 'call', { until: sim.now - 5 });
    expect(sim.of('timer')).toMatchObject([{ at: sim.now + 1 }]);
  });

  it('holds nothing while the run is paused, and is dropped by a cancel', () => {
    const sim = new Simulator(STEP);
    wait(sim, 'call');
    sim.send({ type: 'pause' });
    sim.timer('retry');
    expect(sim.of('run')).toEqual([]);
    sim.send({ type: 'resume' });
    expect(sim.paths()).toEqual([['call']]);
    wait(sim, 'call');
    sim.send({ type: 'cancel' });
    expect(sim.of('timer')).toEqual([]);
    expect(sim.finish).toMatchObject({ status: 'cancelled' });
  });

  it('that comes after the cancel begins nothing', () => {
    const sim = new Simulator(STEP);
    sim.send({ type: 'cancel' });
    wait(sim, 'call');
    expect(sim.events.map((event) => event.type)).not.toContain('step.waiting');
    expect(sim.finish).toMatchObject({ status: 'cancelled' });
  });

  it('is carried over continue-as-new', () => {
    const sim = new Simulator(STEP);
    wait(sim, 'call', { resume: { value: 7 } });
    sim.continueAsNew();
    sim.timer('retry');
    expect(sim.run('call').units).toMatchObject([{ resume: { value: 7 }, waitedMs: 60 * SECOND }]);
  });

  it('keeps what was read when its step could not begin behind it: the run was paused, or a worker was lost', () => {
    const goesOn = [{ tryNo: 1, resume: { value: { page: 3 } }, waitedMs: 60 * SECOND, timeoutMs: 98 * SECOND }];
    const sim = new Simulator(STEP);
    wait(sim, 'call', { resume: { value: { page: 3 } } });
    sim.timer('retry');
    sim.send({ type: 'outcomes', id: sim.run('call').id, outcomes: [], held: 'pause' });
    expect(sim.paths()).toEqual([]);
    sim.send({ type: 'resume' });
    expect(sim.run('call').units).toMatchObject(goesOn);
    sim.send({ type: 'lost', id: sim.run('call').id, path: 'call', reason: 'quarantine', message: 'lost' });
    expect(sim.run('call')).toMatchObject({ queue: 'quarantine', units: goesOn });
    sim.send({ type: 'lost', id: sim.run('call').id, path: 'call', reason: 'worker_lost', message: 'lost' });
    sim.send({ type: 'resolve', path: 'call', outcome: 'repeat' });
    expect(sim.run('call').units).toMatchObject(goesOn);
    sim.ok('call');
    sim.ok('end');
    expect(sim.finish).toMatchObject({ status: 'complete' });
  });

  it('of a run that began with the older rule begins anew there', () => {
    const sim = new Simulator(STEP);
    sim.newer = (change) => change !== 'waits-kept';
    wait(sim, 'call', { resume: { value: 3 } });
    sim.timer('retry');
    sim.send({ type: 'outcomes', id: sim.run('call').id, outcomes: [], held: 'pause' });
    sim.send({ type: 'resume' });
    expect(sim.run('call').units[0]).not.toHaveProperty('resume');
  });

  it('in a segment lets the steps behind it begin later', () => {
    const steps = ['one', 'two', 'three'].map((name) => `  - {name: ${name}, step_type: tool, action: quick}\n`);
    const sim = new Simulator(`id: p\nname: P\nsteps:\n${steps.join('')}`);
    const { id } = sim.run('two');
    const facts = { until: sim.now + SECOND, reason: 'rate_limited', source: 's', spentMs: 0 };
    sim.send({
      type: 'outcomes',
      id,
      outcomes: [
        { path: 'one', status: 'ok', output: { value: {} } },
        { path: 'two', status: 'waiting', wait: facts },
      ],
    });
    expect(sim.of('run')).toEqual([]);
    sim.timer('retry');
    expect(sim.paths()).toEqual([['two']]);
    sim.ok('two');
    expect(sim.paths()).toEqual([['three']]);
  });

  it('of a model’s tool call goes on under the same key with what it had', () => {
    const sim = new Simulator(RESEARCH);
    sim.ok('look/~model1', {
      'look/~model1': {
        message: { role: 'assistant' },
        tool_calls: [{ id: 't', tool: 'slow', inputs: {}, params: {} }],
      },
    });
    const path = 'look/~tool1.0';
    const before = sim.run(path).units[0]?.effectKey;
    wait(sim, path, { resume: { value: 'kept' } });
    sim.timer('retry');
    expect(sim.run(path).units).toMatchObject([
      { effectKey: before, waitedMs: 60 * SECOND, resume: { value: 'kept' } },
    ]);
    sim.ok(path);
    expect(sim.paths()).toEqual([['look/~model2']]);
  });
});
