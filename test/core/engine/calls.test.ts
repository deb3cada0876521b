import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { parseReference } from '../../../core/expr/reference';
import { resolveRef, withoutValue } from '../../../core/engine/scope';
import { INLINE_BUDGET, type Machine } from '../../../core/engine/machine';
import type { EngineEvent } from '../../../core/engine/inbox';
import type { Handle } from '../../../core/engine/values';
import { BROKEN, Simulator } from './simulator';

const head = 'id: p\nname: P\nsteps:\n';

describe('the calls of a research', () => {
  const yaml = (more = ''): string =>
    `${head}  - {name: look, step_type: llm_task, action: research_with_tools, inputs: {question: q}, params: {tools: [slow, irs.search]${more}}, output_schema: {type: object, fields: [{name: v, type: string}]}}\n`;
  const asks = (...tool_calls: Json[]): Json => ({ message: { role: 'assistant' }, done: false, tool_calls });
  const answers = (sim: Simulator): unknown[] => {
    const edits = sim.of('run')[0]?.units[0]?.edits as { messages: { tool?: string; content?: Json }[] };
    return edits.messages.filter(({ tool }) => tool !== undefined).map(({ tool, content }) => [tool, content]);
  };

  it.each<[string, number]>([
    ['', 3],
    [', max_rounds: 1', 1],
    [', max_rounds: 2.9', 2],
    [', max_rounds: 0', 3],
    [', max_rounds: 51', 50],
  ])('go on for as many rounds as are asked for%s: %d', (more, rounds) => {
    const sim = new Simulator(yaml(more));
    for (let round = 1; round <= rounds; round += 1) {
      expect(sim.run(`look/~model${round}`).units[0]?.edits).toMatchObject({ round, final: false });
      sim.ok(`look/~model${round}`, { [`look/~model${round}`]: asks({ id: 'c', tool: 'nope' }) });
    }
    expect(sim.run(`look/~model${rounds + 1}`).units[0]?.edits).toMatchObject({ final: true });
  });

  it('that are refused are answered at once, and the model is asked again', () => {
    const sim = new Simulator(yaml());
    sim.ok('look/~model1', {
      'look/~model1': asks(
        { id: 'a', tool: 'evil' },
        { id: 'b', tool: 'slow', error: 'no JSON' },
        { id: 'c', tool: '.search' },
        'no call',
      ),
    });
    expect(sim.paths()).toEqual([['look/~model2']]);
    expect(answers(sim)).toEqual([
      ['evil', { error: { code: 'tool_not_allowed', message: expect.stringContaining('evil') } }],
      ['slow', { error: { code: 'invalid_tool_call', message: 'no JSON' } }],
      ['.search', { error: { code: 'tool_not_allowed', message: expect.any(String) } }],
    ]);
  });

  it('carry the arguments and the settings of the model as data', () => {
    const sim = new Simulator(yaml());
    sim.ok('look/~model1', {
      'look/~model1': asks(
        { id: 'a', tool: 'slow', inputs: { q: 1 }, params: { limit: 2 } },
        { id: 'b', tool: 'irs.search', inputs: 'none', params: { connector: 'other' } },
      ),
    });
    expect(sim.run('look/~tool1.0').units[0]).toMatchObject({
      action: 'slow',
      edits: { q: 1, $settings: { limit: 2 } },
    });
    expect(sim.run('look/~tool1.1').units[0]).toMatchObject({
      action: 'call_connector',
      edits: { $settings: { connector: 'irs', endpoint: 'search' } },
    });
    sim.fail('look/~tool1.1', { code: 'gone', message: 'Away.' });
    sim.ok('look/~tool1.0', { 'look/~tool1.0': 5 });
    expect(answers(sim)).toEqual([
      ['slow', { result: 5 }],
      ['irs.search', { error: { code: 'gone', message: 'Away.' } }],
    ]);
  });

  it('are sixteen in a round at most', () => {
    const sim = new Simulator(yaml());
    sim.ok('look/~model1', {
      'look/~model1': asks(...Array.from({ length: 20 }, (_, at) => ({ id: `c${at}`, tool: 'slow' }))),
    });
    expect(sim.paths()).toHaveLength(16);
  });

  it('of which a large result lies outside say so, and an answer of the model that lies outside ends the step', () => {
    const handle = { parts: [{ sha256: 'x', size: 9, kind: 'whole' as const }], size: 9 };
    const answer = (sim: Simulator, path: string, value: Json, handles: Record<string, Handle>): void => {
      const { id } = sim.run(path);
      const output = { value, handles };
      sim.send({ type: 'outcomes', id, outcomes: [{ path, status: 'ok', output }] });
    };
    const sim = new Simulator(yaml());
    sim.ok('look/~model1', { 'look/~model1': asks({ id: 'a', tool: 'slow' }) });
    answer(sim, 'look/~tool1.0', { small: 1, large: null }, { large: handle });
    expect(answers(sim)).toEqual([['slow', { result: { small: 1, large: null }, note: expect.any(String) }]]);
    answer(sim, 'look/~model2', { done: false, message: null }, { message: handle });
    expect(
      sim.events.find((event) => event.type === 'step.finished' && event.step_path === 'look')?.payload,
    ).toMatchObject({
      status: 'failed',
      error: { code: 'llm_answer_too_large', message: expect.stringMatching(/conversation/) },
    });
    const done = new Simulator(yaml());
    answer(done, 'look/~model1', { done: true, result: null }, { result: handle });
    expect(done.finish?.outputs['look']).toEqual({ value: null, handles: { '': handle } });
  });

  it('that nobody knows the outcome of wait for a person, whose word is the answer', () => {
    const person = (outcome: 'done' | 'not_done'): unknown[] => {
      const sim = new Simulator(yaml());
      sim.ok('look/~model1', { 'look/~model1': asks({ id: 'a', tool: 'slow' }) });
      const { id } = sim.run('look/~tool1.0');
      sim.send({ type: 'outcomes', id, outcomes: [{ path: 'look/~tool1.0', status: 'attention', error: BROKEN }] });
      expect(sim.patches.at(-1)?.status).toBe('needs_attention');
      sim.send({ type: 'resolve', path: 'look/~tool1.0', outcome });
      return answers(sim);
    };
    expect(person('done')).toEqual([['slow', { result: { resolved: 'done' } }]]);
    expect(person('not_done')).toEqual([['slow', { error: { code: 'effect_not_done', message: expect.any(String) } }]]);
  });
});

describe('a sub-playbook', () => {
  const yaml = (more = ''): string =>
    `${head}  - {name: sub, action: run_playbook, playbook: inner, inputs: {n: 1}${more}}\n  - {name: end, step_type: tool, action: slow, inputs: {s: "{sub.status}"}}\n`;
  const close = (sim: Simulator, more: Partial<EngineEvent & { type: 'child_closed' }>): void =>
    sim.send({
      type: 'child_closed',
      id: sim.of('child')[0]?.id ?? '',
      status: 'failed',
      output: { value: null },
      ...more,
    });
  const tries = (more: string, closed: object, newer: boolean): number => {
    const sim = new Simulator(yaml(more));
    sim.newer = () => newer;
    let count = 0;
    for (;;) {
      count += 1;
      close(sim, closed);
      if (sim.of('timer').length === 0) return count;
      sim.timer('retry');
    }
  };

  it.each<[string, object, number, number]>([
    [', retry_count: 1', { status: 'failed', retryable: true }, 2, 2],
    [', retry_count: 1', { status: 'failed' }, 1, 2],
    [', retry_count: 1', { status: 'timed_out' }, 1, 2],
    [', retry_count: 1', { status: 'rejected' }, 1, 1],
    [', retry_count: 1', { status: 'cancelled' }, 1, 1],
    [', on_error: retry', { status: 'failed' }, 1, 2],
    ['', { status: 'failed' }, 1, 1],
    ['', { status: 'failed', retryable: true }, 1, 1],
  ])('%s that ended as %j is tried so often: %d, and in runs of the older rule %d', (more, closed, now, before) => {
    expect([tries(more, closed, true), tries(more, closed, false)]).toEqual([now, before]);
  });

  it('is called with what a retry has edited, and with what it repeats', () => {
    const plain = new Simulator(yaml(', version: "1.2"'));
    expect(plain.of('child')[0]).toMatchObject({ version: '1.2', effectBehind: expect.any(Boolean) });
    expect(plain.of('child')[0]).not.toHaveProperty('overrides');
    expect(plain.of('child')[0]).not.toHaveProperty('repeats');
    const edited = new Simulator(yaml(), { overrides: { sub: { n: 2 } } });
    expect(edited.of('child')[0]).toMatchObject({ inputs: { n: 1 }, overrides: { n: 2 } });
    const again = new Simulator(yaml(', retry_count: 1'));
    again.send({ type: 'child_started', id: again.of('child')[0]?.id ?? '', runId: 'r2' });
    close(again, { retryable: true });
    again.timer('retry');
    expect(again.of('child')[0]).toMatchObject({ effectKey: 'run-1/sub#2', repeats: 'r2' });
  });

  it('says how it ended, by its own code where it has one', () => {
    const error = (closed: object): unknown => {
      const sim = new Simulator(yaml());
      close(sim, closed);
      return sim.events.find(({ type }) => type === 'step.finished')?.payload['error'];
    };
    expect(error({ code: 'x', message: 'why' })).toEqual({
      code: 'x',
      message: 'The playbook inner ended failed: why',
    });
    expect(error({ code: 'x' })).toEqual({ code: 'x', message: 'The playbook inner ended failed: x' });
    expect(error({ status: 'cancelled' })).toEqual({
      code: 'child_cancelled',
      message: 'The playbook inner ended cancelled: cancelled',
    });
  });
});

describe('what a reference means in a run', () => {
  const sim = new Simulator(
    `id: p\nname: P\ninputs: [{name: given, type: any}, {name: none, type: any}]\nsteps:\n  - {name: a, step_type: tool, action: slow}\n  - {name: bad, step_type: tool, action: slow}\n  - {name: later, step_type: tool, action: slow}\n`,
    { inputs: { given: { x: [1, null] }, none: null }, query: 'gold' },
  );
  sim.ok('a', { a: { v: 1, nothing: null, status: 'own' } });
  sim.fail('bad');
  const machine: Machine = {
    index: sim.index,
    state: sim.state,
    now: 0,
    commands: [],
    events: [],
    inlineBudget: INLINE_BUDGET,
    draining: false,
    newer: () => true,
  };
  const ref = (text: string) => {
    const parsed = parseReference(text);
    if (!parsed.ok) throw new Error(text);
    return parsed.value;
  };
  const of = (text: string): unknown => {
    const value = resolveRef(machine, '', ref(text));
    return value.kind === 'value' ? value.value : value.kind;
  };
  it.each<[string, unknown]>([
    ['given', { x: [1, null] }],
    ['given.x[0]', 1],
    ['given.x[7]', 'undefined'],
    ['given.y', 'undefined'],
    ['none', null],
    ['none.x', 'undefined'],
    ['query', 'gold'],
    ['query.x', 'undefined'],
    ['a', { v: 1, nothing: null, status: 'own' }],
    ['a.v', 1],
    ['a.nothing', null],
    ['a.status', 'ok'],
    ['a.result.status', 'own'],
    ['a.error', 'undefined'],
    ['a.decision', 'undefined'],
    ['bad', 'undefined'],
    ['bad.v', 'undefined'],
    ['bad.status', 'failed'],
    ['bad.result', 'undefined'],
    ['bad.error', { code: 'broken', message: 'It broke.' }],
    ['bad.error.code', 'broken'],
    ['later', 'undefined'],
    ['today', '2026-01-01'],
    ['execution_id', 'run-1'],
    ['nowhere', 'undefined'],
  ])('%s', (text, value) => {
    expect(of(text)).toEqual(value);
  });

  it('is said where it has no value: not there, or null, three at most', () => {
    const said = (...texts: string[]): string => withoutValue(machine, '', texts.map(ref));
    expect(said('given', 'a.v')).toBe('');
    expect(said('a.gone', 'none', 'a.v')).toBe(' ({a.gone} is not there, {none} is null)');
    expect(said('a.w', 'a.x', 'a.y', 'a.z')).toBe(' ({a.w} is not there, {a.x} is not there, {a.y} is not there)');
  });
});

describe('the key under which an effect leaves', () => {
  const key = (path: string, facts: JsonObject): string | undefined => {
    const text = `${head}  - {name: a, step_type: tool, action: slow}\n  - name: each\n    for_each: {items: [1, 2], as: n, steps: [{name: b, step_type: tool, action: slow}]}\n`;
    const sim = new Simulator(text, facts);
    if (path !== 'a') sim.ok('a');
    return sim.run(path).units[0]?.effectKey;
  };
  it.each<[string, JsonObject, string]>([
    ['a', {}, 'run-1/a'],
    ['a', { effectRoot: 'first' }, 'first/a'],
    ['a', { effectRoot: 'first', effectKeys: { a: 'mine' } }, 'mine/a'],
    ['a', { effectRoot: 'first', effectKeys: { b: 'mine' } }, 'first/a'],
    ['each[1]/b', { effectRoot: 'first', effectKeys: { each: 'mine' } }, 'mine/each[1]/b'],
    ['each[1]/b', { effectRoot: 'first', effectKeys: { each: 'mine', 'each[1]': 'item' } }, 'item/each[1]/b'],
    ['each[1]/b', { effectRoot: 'first', effectKeys: { 'each[0]': 'item' } }, 'first/each[1]/b'],
    ['each[1]/b', { effectKeys: { 'each[1]/b': 'own' } }, 'own/each[1]/b'],
    ['each[1]/b', { effectKeys: { constructor: 'x' } }, 'run-1/each[1]/b'],
  ])('%s with %j is %s', (path, facts, expected) => {
    expect(key(path, facts)).toBe(expected);
  });
});

describe('an answer that is not for what is open', () => {
  const yaml = `${head}  - {name: a, step_type: tool, action: slow}\n`;
  it('changes nothing', () => {
    for (const type of ['loaded', 'stored', 'outcomes', 'timer'] as const) {
      const sim = new Simulator(yaml);
      const before = JSON.stringify(sim.state.nodes);
      const answer = {
        type,
        id: 'nothing',
        values: {},
        stored: { value: null },
        outcomes: [],
      } as unknown as EngineEvent;
      sim.send(answer);
      expect([JSON.stringify(sim.state.nodes), sim.last]).toEqual([before, []]);
    }
  });
});
