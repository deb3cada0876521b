import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { BROKEN, Simulator } from './simulator';

const head = 'id: s\nname: S\nsteps:\n';

describe('a loop', () => {
  const loop = (until: string, max = 3): string =>
    `${head}  - name: poll\n    loop: {until: "${until}", max_iterations: ${max}, steps: [{name: get, step_type: tool, action: slow, inputs: {from: "{get.next}"}, on_error: skip}]}\n  - {name: end, step_type: tool, action: slow, inputs: {last: "{get.next}", n: "{poll.iterations}", done: "{poll.done}"}}\n`;

  it('repeats until the condition holds; a turn sees the turn before', () => {
    const sim = new Simulator(loop('{get.next} >= 2'));
    expect(sim.run('poll[0]/get').units[0]).toMatchObject({
      refs: { 'get.next': { kind: 'undefined' } },
      valueLimit: 1_048_576,
    });
    sim.ok('poll[0]/get', { 'poll[0]/get': { next: 1 } });
    expect(sim.run('poll[1]/get').units[0]).toMatchObject({
      effectKey: 'run-1/poll[1]/get',
      refs: { 'get.next': { kind: 'value', value: 1 } },
    });
    sim.ok('poll[1]/get', { 'poll[1]/get': { next: 2 } });
    expect(sim.run('end').units[0]?.refs).toMatchObject({
      'get.next': { value: 2 },
      'poll.iterations': { value: 2 },
      'poll.done': { value: true },
    });
  });

  it('stops at its ceiling', () => {
    const sim = new Simulator(loop('1 > 2', 2));
    sim.ok('poll[0]/get');
    sim.ok('poll[1]/get');
    expect(sim.run('end').units[0]?.refs).toMatchObject({
      'poll.iterations': { value: 2 },
      'poll.done': { value: false },
    });
  });

  it('asks about a large value anew in each turn', async () => {
    const sim = new Simulator(loop("{get.text} contains 'end'"));
    for (const [at, text] of ['x', 'end'].entries()) {
      const output = await sim.values.offload({ text: text.repeat(600_000) }, 1_048_576);
      sim.send({
        type: 'outcomes',
        id: sim.run(`poll[${at}]/get`).id,
        outcomes: [
          {
            path: `poll[${at}]/get`,
            status: 'ok',
            output: output.handles
              ? output
              : await sim.values.offload({ text: `${text}${'y'.repeat(1_100_000)}` }, 1_048_576),
          },
        ],
      });
      for (const load of sim.of('load')) await sim.answer(load);
    }
    expect(sim.run('end').units[0]?.refs['poll.iterations']).toEqual({ kind: 'value', value: 2 });
  });

  it('goes on over a failed turn, which makes the run partial', () => {
    const sim = new Simulator(loop('{get.next} is defined'));
    sim.fail('poll[0]/get');
    sim.ok('poll[1]/get', { 'poll[1]/get': { next: 1 } });
    sim.ok('end');
    expect(sim.finish?.status).toBe('partial');
  });
});

describe('a route', () => {
  const route = (on: string, more = ''): string =>
    `${head}  - name: way\n    route:\n      on: ${on}\n      routes: {red: [{name: r, step_type: tool, action: slow}], blue: [{name: b, step_type: tool, action: slow}]}\n${more}`;

  it('takes the branch of the label, or fails without a default', () => {
    const red = new Simulator(route('"{kind}"'), { inputs: { kind: 'red' } });
    expect(red.paths()).toEqual([['way/r']]);
    red.ok('way/r');
    expect(red.output('way')).toEqual({ label: 'red' });
    const none = new Simulator(route('"{kind}"'), { inputs: { kind: 'green' } });
    expect(none.events.find((event) => event.type === 'step.finished')?.payload).toMatchObject({
      error: { code: 'no_route' },
    });
    const other = new Simulator(route('"{kind}"', '      default: blue\n'), { inputs: { kind: 'green' } });
    expect(other.paths()).toEqual([['way/b']]);
  });

  it('asks a model under a key of its own, again when it fails', () => {
    const sim = new Simulator(
      route('{step_type: llm_task, action: ai, inputs: {q: "{kind}"}}').replace(
        'route:\n',
        'retry_count: 1\n    route:\n',
      ),
      { inputs: { kind: 'x' } },
    );
    expect(sim.of('run')).toMatchObject([
      { queue: 'llm', units: [{ path: 'way/~router', effectKey: 'run-1/way/~router', action: 'ai' }] },
    ]);
    sim.fail('way/~router', { retryable: true });
    sim.timer('retry');
    sim.ok('way/~router~t2', { 'way/~router~t2': { label: 'blue' } });
    expect(sim.paths()).toEqual([['way/b']]);
    sim.ok('way/b');
    expect(sim.types('step.finished')).toEqual(['way/~router', 'way']);
    expect(sim.finish?.status).toBe('complete');
  });

  it('in a loop shows nothing of a branch that another turn took', () => {
    const sim = new Simulator(
      `${head}  - name: l\n    loop:\n      until: "1 > 2"\n      max_iterations: 2\n      steps:\n      - {name: kind, step_type: tool, action: slow}\n      - name: way\n        route: {on: "{kind.v}", routes: {red: [{name: r, step_type: tool, action: slow}], blue: [{name: b, step_type: tool, action: slow}]}}\n  - {name: end, step_type: tool, action: slow, inputs: {r: "{r.v}", b: "{b.v}"}}\n`,
    );
    sim.ok('l[0]/kind', { 'l[0]/kind': { v: 'red' } });
    sim.ok('l[0]/way/r', { 'l[0]/way/r': { v: 1 } });
    sim.ok('l[1]/kind', { 'l[1]/kind': { v: 'blue' } });
    sim.ok('l[1]/way/b', { 'l[1]/way/b': { v: 2 } });
    expect(sim.run('end').units[0]?.refs).toEqual({ 'r.v': { kind: 'undefined' }, 'b.v': { kind: 'value', value: 2 } });
  });
});

describe('a sub-playbook', () => {
  const child = `${head}  - {name: sub, action: run_playbook, playbook: inner, inputs: {n: 1}, on_error: retry}\n  - {name: end, step_type: tool, action: slow, inputs: {n: "{sub.outputs.x.n}", s: "{sub.result.status}"}}\n`;

  it("is waited for, and its outputs are the step's", () => {
    const sim = new Simulator(child);
    const [command] = sim.of('child');
    expect(command).toMatchObject({ path: 'sub', effectKey: 'run-1/sub', playbook: 'inner', inputs: { n: 1 } });
    sim.send({ type: 'child_started', id: command?.id ?? '', runId: 'r2' });
    expect(sim.patches.at(-1)?.waits).toMatchObject([{ kind: 'child', step_path: 'sub', runId: 'r2' }]);
    sim.send({
      type: 'child_closed',
      id: command?.id ?? '',
      status: 'partial',
      output: { value: { status: 'partial', outputs: { x: { n: 5 } } } },
    });
    expect(sim.run('end').units[0]?.refs).toEqual({
      'sub.outputs.x.n': { kind: 'value', value: 5 },
      'sub.result.status': { kind: 'value', value: 'partial' },
    });
    sim.ok('end');
    expect(sim.finish?.status).toBe('partial');
  });

  it('that failed of what may pass is tried again as another run', () => {
    const sim = new Simulator(child);
    sim.send({
      type: 'child_closed',
      id: sim.of('child')[0]?.id ?? '',
      status: 'failed',
      code: 'x',
      message: 'why',
      retryable: true,
      output: { value: null },
    });
    sim.timer('retry');
    expect(sim.of('child')).toMatchObject([{ effectKey: 'run-1/sub#2' }]);
    sim.send({ type: 'child_closed', id: sim.of('child')[0]?.id ?? '', status: 'rejected', output: { value: null } });
    expect(sim.events.find((event) => event.type === 'step.finished')?.payload).toMatchObject({
      error: { code: 'child_rejected', message: 'The playbook inner ended rejected: rejected' },
    });
  });

  it('is cancelled with its parent, and when the parent fails', () => {
    const sim = new Simulator(
      `${head}  - name: both\n    action: parallel\n    parallel_steps:\n    - {name: sub, action: run_playbook, playbook: inner}\n    - {name: bad, step_type: tool, action: slow, on_error: stop}\n`,
    );
    sim.fail('both/bad');
    const [command] = sim.of('child');
    expect(sim.cancelled.has(command?.id ?? '')).toBe(true);
    sim.send({ type: 'child_closed', id: command?.id ?? '', status: 'cancelled', output: { value: null } });
    expect(sim.finish).toMatchObject({ status: 'failed', code: 'broken' });
  });
});

describe('a research', () => {
  const yaml = `${head}  - {name: look, step_type: llm_task, action: research_with_tools, inputs: {question: q}, params: {tools: [slow, irs.search], max_rounds: 2}, output_schema: {type: object, fields: [{name: v, type: string}]}, retry_count: 1}\n`;
  const call = (tool: string, id = 'c1'): Json => ({ id, tool, inputs: { q: '{not a reference}' } });
  const asks = (...tool_calls: Json[]): Json => ({ message: { role: 'assistant' }, done: false, tool_calls });

  it('makes each model and tool call an activity under a key of its own', () => {
    const sim = new Simulator(yaml);
    expect(sim.of('run')).toMatchObject([
      {
        queue: 'llm',
        units: [
          { path: 'look/~model1', action: 'research_model_call', edits: { messages: [], round: 1, final: false } },
        ],
      },
    ]);
    sim.ok('look/~model1', { 'look/~model1': asks(call('slow'), call('irs.search', 'c2'), call('evil', 'c3')) });
    expect(sim.of('run')).toMatchObject([
      {
        queue: 'main',
        activity: 'slow',
        units: [
          { path: 'look/~tool1.0', effectKey: 'run-1/look/~tool1.0', inputs: {}, edits: { q: '{not a reference}' } },
        ],
      },
      {
        activity: 'call_connector',
        units: [{ path: 'look/~tool1.1', edits: { $settings: { connector: 'irs', endpoint: 'search' } } }],
      },
    ]);
    sim.ok('look/~tool1.1', { 'look/~tool1.1': { found: 1 } });
    sim.fail('look/~tool1.0');
    expect(sim.run('look/~model2').units[0]?.edits).toMatchObject({
      round: 2,
      messages: [
        { role: 'assistant' },
        { role: 'tool', tool_call_id: 'c1', content: { error: { code: 'broken' } } },
        { role: 'tool', tool_call_id: 'c2', content: { result: { found: 1 } } },
        { role: 'tool', tool_call_id: 'c3', content: { error: { code: 'tool_not_allowed' } } },
      ],
    });
    sim.ok('look/~model2', { 'look/~model2': { message: null, done: true, result: { v: 'x' } } });
    expect(sim.output('look')).toEqual({ v: 'x' });
    // A call that failed ends when it does, with its own code.
    expect(sim.types('step.finished')).toEqual(['look/~tool1.0', 'look']);
  });

  it('asks a last time for an answer, and fails when there is none', () => {
    const sim = new Simulator(yaml);
    for (const round of [1, 2]) {
      sim.ok(`look/~model${round}`, { [`look/~model${round}`]: asks(call('slow')) });
      sim.ok(`look/~tool${round}.0`);
    }
    expect(sim.run('look/~model3').units[0]?.edits).toMatchObject({ final: true });
    sim.ok('look/~model3', { 'look/~model3': asks(call('slow')) });
    sim.ok('look/~tool3.0');
    expect(sim.events.find((event) => event.type === 'step.finished')?.payload).toMatchObject({
      error: { code: 'llm_rounds_exhausted' },
    });
  });

  it('repeats a failed model call without losing what was found', () => {
    const sim = new Simulator(yaml);
    sim.ok('look/~model1', { 'look/~model1': asks(call('slow')) });
    sim.ok('look/~tool1.0');
    sim.fail('look/~model2', { retryable: true, details: { retry_after_ms: 60_000 } });
    expect(sim.of('timer')[0]?.at).toBe(sim.now + 60_000);
    sim.timer('retry');
    expect(sim.run('look/~model2~t2').units[0]?.edits).toMatchObject({ round: 2, messages: [{}, {}] });
  });

  it('sends a call in which workers are lost to quarantine, and goes on', () => {
    const sim = new Simulator(yaml);
    sim.ok('look/~model1', { 'look/~model1': asks(call('slow')) });
    sim.send({
      type: 'lost',
      id: sim.run('look/~tool1.0').id,
      path: 'look/~tool1.0',
      reason: 'quarantine',
      message: 'lost',
    });
    expect(sim.run('look/~tool1.0').queue).toBe('quarantine');
    sim.ok('look/~tool1.0');
    expect(sim.run('look/~model2').queue).toBe('llm');
  });

  it('holds its tool calls back while the run is paused', () => {
    const sim = new Simulator(yaml);
    sim.send({ type: 'pause' });
    sim.ok('look/~model1', { 'look/~model1': asks(call('slow')) });
    expect(sim.paths()).toEqual([]);
    sim.send({ type: 'resume' });
    expect(sim.paths()).toEqual([['look/~tool1.0']]);
  });
});

describe('tries', () => {
  const step = (more: string): string =>
    `${head}  - {name: a, step_type: tool, action: slow, ${more}}\n  - {name: end, step_type: tool, action: slow, inputs: {v: "{a.v}", s: "{a.status}", c: "{a.error.code}"}}\n`;
  const tries = (more: string, retryable: boolean, newer = true): number => {
    const sim = new Simulator(step(more));
    sim.newer = () => newer;
    let count = 0;
    for (;;) {
      count += 1;
      sim.fail('a', { retryable });
      if (sim.of('timer').length === 0) break;
      sim.timer('retry');
    }
    return count;
  };

  it('are for what a repeat may cure: retry_count is used up before the one of on_error', () => {
    expect([tries('retry_count: 2', true), tries('retry_count: 2', false)]).toEqual([3, 1]);
    expect([tries('retry_count: 2, on_error: retry', true), tries('on_error: retry', true)]).toEqual([4, 2]);
    expect([tries('retry_count: 2, on_error: retry', false), tries('on_error: retry', false)]).toEqual([1, 1]);
  });

  it('of a run that began with the older rule: one more for any failure', () => {
    expect([tries('on_error: retry', false, false), tries('retry_count: 2, on_error: retry', false, false)]).toEqual([
      2, 2,
    ]);
  });

  it('a step of which a person says that it was not done is not sent again', () => {
    const sim = new Simulator(step('on_error: retry'));
    const error = { code: 'effect_outcome_unknown', message: 'lost', category: 'upstream', retryable: false } as const;
    sim.send({ type: 'outcomes', id: sim.run('a').id, outcomes: [{ path: 'a', status: 'attention', error }] });
    sim.send({ type: 'resolve', path: 'a', outcome: 'not_done' });
    expect(sim.of('timer')).toEqual([]);
    expect(sim.paths()).toEqual([['end']]);
  });

  it('waits longer each time, up to half a minute', () => {
    const sim = new Simulator(step('retry_count: 9'));
    const waits: number[] = [];
    for (let at = 0; at < 9; at++) {
      sim.fail('a', { retryable: true });
      waits.push((sim.of('timer')[0]?.at ?? 0) - sim.now);
      sim.timer('retry');
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('a failed step is null to those behind it, its status and its error are there', () => {
    const sim = new Simulator(step('retry_count: 0'));
    sim.fail('a');
    expect(sim.run('end').units[0]?.refs).toEqual({
      'a.v': { kind: 'undefined' },
      'a.status': { kind: 'value', value: 'failed' },
      'a.error.code': { kind: 'value', value: 'broken' },
    });
  });

  it('an unknown outcome asks a person, whose word counts', () => {
    for (const [outcome, status] of [
      ['done', 'ok'],
      ['not_done', 'failed'],
    ] as const) {
      const sim = new Simulator(step('retry_count: 0'));
      sim.send({
        type: 'outcomes',
        id: sim.run('a').id,
        outcomes: [{ path: 'a', status: 'attention', error: { ...BROKEN, code: 'effect_outcome_unknown' } }],
      });
      expect(sim.patches.at(-1)).toMatchObject({ status: 'needs_attention', code: 'effect_outcome_unknown' });
      sim.send({ type: 'resolve', path: 'a', outcome });
      expect(sim.state.decisions).toEqual([
        { step: 'a', decision: outcome, by: null, at: '2026-01-01T00:00:00.000Z', instructions: null },
      ]);
      expect(sim.run('end').units[0]?.refs['a.status']).toEqual({ kind: 'value', value: status });
    }
  });

  it('a run that began before keeps no word of a person for its report', () => {
    const sim = new Simulator(step('retry_count: 0'));
    sim.newer = (change) => change !== 'told-outcomes';
    const error = { ...BROKEN, code: 'effect_outcome_unknown' };
    sim.send({ type: 'outcomes', id: sim.run('a').id, outcomes: [{ path: 'a', status: 'attention', error }] });
    sim.send({ type: 'resolve', path: 'a', outcome: 'done' });
    expect(sim.state.decisions).toBeUndefined();
  });

  it('starts a retried run with the edited inputs of its step', () => {
    const sim = new Simulator(step('inputs: {x: 1, y: 2}'), { overrides: { a: { x: '{raw}' } } });
    expect(sim.run('a').units[0]).toMatchObject({ inputs: { x: 1, y: 2 }, edits: { x: '{raw}' } });
  });
});
