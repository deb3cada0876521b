import { describe, expect, it } from '@jest/globals';
import { planRetry as plannedRetry, type GateOutcome, type RetryFacts } from '../../../core/playbook/retry-plan';
import type { Plan, StepPlan } from '../../../core/playbook/types';

const planRetry = (facts: Omit<RetryFacts, 'lookup'>) => plannedRetry({ lookup: {}, ...facts });

const common = { on_error: 'skip', retry_count: 0, timeout_seconds: 300, optional: false } as const;
const tool = (name: string, depends_on?: string[]): StepPlan => ({
  ...common,
  kind: 'tool',
  name,
  key: name,
  action: 'transform_data',
  inputs: {},
  params: {},
  ...(depends_on === undefined ? {} : { depends_on }),
});
const gate = (name: string): StepPlan => ({
  ...common,
  kind: 'approval',
  name,
  key: name,
  prompt: '?',
  preview_limit: 5,
  on_reject: 'stop',
  on_timeout: 'stop',
});
const each = (name: string, steps: StepPlan[]): StepPlan => ({
  ...common,
  kind: 'for_each',
  name,
  key: name,
  items: '{x}',
  as: 'item',
  max_parallel: 5,
  steps,
});

function plan(...steps: StepPlan[]): Plan {
  return {
    schema: 1,
    playbook: { id: 'p', name: 'P' },
    execution_mode: 'hybrid',
    run_context: 'interactive',
    approval_policy: 'require',
    inputs: [],
    steps,
  };
}
const ok = (...paths: string[]) => paths.map((step_path) => ({ step_path, ok: true }));
const failed = (...paths: string[]) => paths.map((step_path) => ({ step_path, ok: false }));
const answered = (step_path: string, more: Partial<GateOutcome> = {}): GateOutcome => ({
  step_path,
  status: 'approved',
  on_reject: 'stop',
  instructions: null,
  edits: null,
  decided_by: 'local',
  ...more,
});

describe('planRetry', () => {
  it('keeps what lies before the named step in a sequence', () => {
    const facts = { plan: plan(tool('a'), tool('b'), tool('c')), outcomes: ok('a', 'b', 'c'), gates: [] };
    expect(planRetry({ ...facts, fromStep: 'b' })).toMatchObject({ from: 'b', keep: ['a'], overrides: {} });
  });

  it('keeps independent branches of a DAG', () => {
    const facts = {
      plan: plan(tool('a'), tool('b', ['a']), tool('c', ['a']), tool('d', ['c'])),
      outcomes: ok('a', 'b', 'c', 'd'),
      gates: [],
    };
    expect(planRetry({ ...facts, fromStep: 'c' }).keep).toEqual(['a', 'b']);
  });

  it('begins by itself with the first step that failed, and keeps the items that did not', () => {
    const facts = {
      plan: plan(tool('a'), each('e', [tool('x'), tool('y')]), tool('z')),
      outcomes: [...ok('a', 'e[0]/x', 'e[0]/y', 'e[1]/x', 'z'), ...failed('e[1]/y')],
      gates: [],
    };
    expect(planRetry(facts)).toMatchObject({ from: 'e', keep: ['a', 'e[0]/x', 'e[0]/y'] });
    expect(planRetry({ ...facts, fromStep: 'e' })).toEqual(planRetry(facts));
    const well = { ...facts, outcomes: ok('a', 'e[0]/x', 'e[0]/y', 'e[1]/x', 'e[1]/y', 'z') };
    expect(planRetry({ ...well, fromStep: 'e' })).toMatchObject({ from: 'e', keep: ['a'], renewed: ['e', 'z'] });
    expect(planRetry({ ...facts, fromStep: 'e[1]' })).toMatchObject({ from: 'e[1]', keep: ['a', 'e[0]/x', 'e[0]/y'] });
  });

  it('takes answers of gates over, but not the one that ended the run', () => {
    const steps = plan(gate('first'), tool('a'), gate('second'), tool('b'));
    const gates = [answered('first', { instructions: 'go' }), answered('second', { status: 'rejected' })];
    const result = planRetry({ plan: steps, outcomes: ok('a'), gates });
    expect(result).toMatchObject({ from: 'second', keep: ['a'] });
    expect(result.presets).toEqual({ first: { decision: 'approved', instructions: 'go', decided_by: 'local' } });
  });

  it('asks again before a step whose inputs are edited: nobody approved those', () => {
    const steps = plan(gate('look'), tool('send'));
    const gates = [answered('look')];
    expect(planRetry({ plan: steps, outcomes: ok('send'), gates, fromStep: 'send' }).presets).toHaveProperty('look');
    const edited = planRetry({
      plan: steps,
      outcomes: ok('send'),
      gates,
      fromStep: 'send',
      inputOverride: { to: 'b' },
    });
    expect([edited.presets, edited.overrides]).toEqual([{}, { send: { to: 'b' } }]);
  });

  it('takes the output, which is no step of the plan, for none', () => {
    const facts = { plan: plan(tool('a')), outcomes: [...ok('a'), ...failed('$output')], gates: [] };
    expect(planRetry(facts)).toEqual({
      from: null,
      keep: ['a'],
      takenOver: [],
      presets: {},
      overrides: {},
      renewed: [],
      sharesKeys: true,
    });
  });

  it('does not ask again at the gates of a list before a step whose inputs are edited', () => {
    const steps = plan(each('e', [gate('look')]), tool('send'));
    const facts = { plan: steps, outcomes: ok('e[0]/look', 'e', 'send'), gates: [answered('e[0]/look')] };
    expect(planRetry({ ...facts, fromStep: 'send', inputOverride: { to: 'b' } }).presets).toHaveProperty(['e[0]/look']);
  });

  it('keeps everything of a run that was stopped from outside', () => {
    expect(planRetry({ plan: plan(tool('a'), tool('b')), outcomes: ok('a'), gates: [] })).toMatchObject({
      from: null,
      keep: ['a'],
    });
  });

  it('says what is wrong with the request', () => {
    const facts = { plan: plan(tool('a'), gate('g'), each('e', [tool('x')])), outcomes: ok('a'), gates: [] };
    const code = (more: object): string => {
      try {
        planRetry({ ...facts, ...more });
      } catch (error) {
        return (error as { code: string }).code;
      }
      return 'none';
    };
    expect(code({ fromStep: 'nothing' })).toBe('unknown_step');
    expect(code({ fromStep: 'a[1]' })).toBe('unknown_step');
    expect(code({ fromStep: 'e[0]/x' })).toBe('unknown_step');
    expect(code({ fromStep: 'g', inputOverride: {} })).toBe('inputs_not_editable');
    expect(code({ inputOverride: {} })).toBe('from_step_required');
  });

  it('names the call where somebody names a step inside a sub-playbook', () => {
    const call: StepPlan = { ...common, kind: 'run_playbook', name: 's', key: 's', playbook: 'inner', inputs: {} };
    const facts = { plan: plan(call), outcomes: failed('s'), gates: [] };
    expect(() => planRetry({ ...facts, fromStep: 's/send' })).toThrow(/goes on with it: name "s"/);
  });

  it('does not repeat what succeeded in a list because the list failed as a whole', () => {
    const facts = {
      plan: plan(each('e', [tool('x'), tool('y')]), tool('z')),
      outcomes: [...ok('e[0]/x', 'e[1]/x', 'e[1]/y', 'z'), ...failed('e')],
      gates: [],
    };
    expect(planRetry(facts)).toMatchObject({ from: null, keep: ['e[0]/x', 'e[1]/x', 'e[1]/y', 'z'] });
  });

  it('begins with a step that failed without an activity, and drops what came after it', () => {
    const facts = {
      plan: plan(tool('a'), tool('b'), tool('c')),
      outcomes: [...ok('a', 'c'), ...failed('b')],
      gates: [],
    };
    expect(planRetry(facts)).toMatchObject({ from: 'b', keep: ['a'] });
    expect(planRetry({ ...facts, inputOverride: { data: [] } })).toMatchObject({
      keep: ['a'],
      overrides: { b: { data: [] } },
      renewed: [],
      sharesKeys: false,
    });
  });
});

describe('planRetry: what had an effect', () => {
  const post = (name: string, reads = ''): StepPlan => ({
    ...(tool(name) as Extract<StepPlan, { kind: 'tool' }>),
    action: 'call_connector',
    params: { connector: 'c', endpoint: 'post' },
    inputs: reads === '' ? {} : { x: `{${reads}.result}` },
  });
  const read = (name: string, reads = ''): StepPlan => ({
    ...(tool(name) as Extract<StepPlan, { kind: 'tool' }>),
    inputs: reads === '' ? {} : { x: `{${reads}.result}` },
  });
  const loop = (name: string, steps: StepPlan[]): StepPlan => ({
    ...common,
    kind: 'loop',
    name,
    key: name,
    until: '1 > 2',
    max_iterations: 3,
    steps,
  });

  it('stands behind a failure with what it rests on; what rests on the failure leaves under a new key', () => {
    const facts = {
      plan: plan(
        read('bad'),
        read('feeds'),
        read('other'),
        post('apart', 'feeds'),
        read('via', 'bad'),
        post('rests', 'via'),
      ),
      outcomes: [...ok('feeds', 'other', 'apart', 'via', 'rests'), ...failed('bad')],
      gates: [],
    };
    expect(planRetry(facts)).toMatchObject({ from: 'bad', keep: ['feeds', 'apart'], renewed: ['rests'] });
    // Named although it succeeded: all of it again, as another thing.
    expect(planRetry({ ...facts, fromStep: 'feeds' })).toMatchObject({
      keep: [],
      renewed: ['feeds', 'other', 'apart', 'via', 'rests'],
    });
  });

  it('item by item, and in a loop from the turn that failed on', () => {
    const inner = [read('bad'), post('apart'), post('rests', 'bad')];
    const outcomes = [
      ...ok('x[0]/bad', 'x[0]/apart', 'x[0]/rests'),
      ...failed('x[1]/bad'),
      ...ok('x[1]/apart', 'x[1]/rests', 'x[2]/bad', 'x[2]/apart', 'x[2]/rests'),
    ];
    const items = planRetry({ plan: plan(each('x', inner)), outcomes, gates: [] });
    expect(items.keep).toEqual([
      'x[0]/bad',
      'x[0]/apart',
      'x[0]/rests',
      'x[1]/apart',
      'x[2]/bad',
      'x[2]/apart',
      'x[2]/rests',
    ]);
    expect(items.renewed).toEqual(['x[1]/rests']);
    const turns = planRetry({ plan: plan(loop('x', inner)), outcomes, gates: [] });
    // The third turn had its own.
    expect(turns.keep).toEqual(
      outcomes.flatMap(({ step_path: path, ok: well }) => (well && path !== 'x[1]/rests' ? [path] : [])),
    );
    expect(turns.renewed).toEqual(['x[1]/rests']);
  });

  it('in a list whose steps read the step that failed', () => {
    const facts = { plan: plan(read('bad'), each('e', [post('p', 'bad'), post('apart')])), gates: [] };
    const outcomes = [...ok('e[0]/p', 'e[0]/apart', 'e[1]/p', 'e[1]/apart'), ...failed('bad')];
    expect(planRetry({ ...facts, outcomes })).toMatchObject({
      from: 'bad',
      keep: ['e[0]/apart', 'e[1]/apart'],
      renewed: ['e[0]/p', 'e[1]/p'],
    });
  });

  it('in a list that goes through the results of another whose item failed', () => {
    const inner = {
      ...(each('y', [post('p', 'item')]) as Extract<StepPlan, { kind: 'for_each' }>),
      items: '{x.results}',
    };
    const facts = { plan: plan(each('x', [read('a')]), inner), gates: [] };
    const outcomes = [...ok('x[0]/a', 'y[0]/p', 'y[1]/p'), ...failed('x[1]/a')];
    expect(planRetry({ ...facts, outcomes })).toMatchObject({
      from: 'x',
      keep: ['x[0]/a', 'y[0]/p'],
      renewed: ['y[1]/p'],
    });
    const failing = [...ok('y[0]/p', 'y[1]/p'), ...failed('x')];
    expect(planRetry({ ...facts, outcomes: failing })).toMatchObject({ keep: ['y[0]/p', 'y[1]/p'], renewed: [] });
  });

  it('in a loop whose step goes on from its own last turn from that on', () => {
    const facts = { plan: plan(loop('x', [post('p', 'p')])), gates: [] };
    const outcomes = [...ok('x[0]/p'), ...failed('x[1]/p'), ...ok('x[2]/p')];
    expect(planRetry({ ...facts, outcomes })).toMatchObject({ keep: ['x[0]/p'], renewed: ['x[2]/p'] });
  });

  it('goes on in a list, loop or branch that is named where something in it failed, or it ended with the run', () => {
    const parallel = (name: string, steps: StepPlan[]): StepPlan => ({
      ...common,
      kind: 'parallel',
      name,
      key: name,
      steps,
    });
    const inner = [post('apart'), read('bad'), post('rests', 'bad')];
    const inside = { each: 'x[0]', loop: 'x[0]', parallel: 'x' };
    const wholes = { each: each('x', inner), loop: loop('x', inner), parallel: parallel('x', inner) };
    for (const [kind, step] of Object.entries(wholes)) {
      const at = inside[kind as keyof typeof inside];
      const facts = { plan: plan(read('a'), step, post('z')), gates: [] };
      const begun = ok('a', `${at}/apart`, 'z');
      const one = [...begun, ...ok(`${at}/rests`), ...failed(`${at}/bad`)];
      const named = planRetry({ ...facts, outcomes: one, fromStep: 'x' });
      expect([kind, named]).toEqual([kind, planRetry({ ...facts, outcomes: one })]);
      expect(named).toMatchObject({ keep: begun.map(({ step_path: path }) => path), renewed: [`${at}/rests`] });
      // Loop that failed without a failed step inside: a limit, a missing list; or somebody cancelled the run.
      for (const end of [{ ok: false }, { ok: false, cancelled: true as const }]) {
        const outcomes = [...begun, { step_path: 'x', ...end }];
        expect(planRetry({ ...facts, outcomes, fromStep: 'x' })).toMatchObject({
          from: 'x',
          keep: ['a', `${at}/apart`, 'z'],
          renewed: [],
          sharesKeys: true,
        });
      }
      expect(planRetry({ ...facts, outcomes: begun, fromStep: 'x' })).toMatchObject({
        keep: ['a'],
        renewed: ['x', 'z'],
      });
    }
  });

  it('a step that ended with the run is no failure, and keeps its keys where it is named', () => {
    const facts = {
      plan: plan(read('a'), post('p'), read('z')),
      outcomes: [...ok('a'), { step_path: 'p', ok: false, cancelled: true as const }],
      gates: [],
    };
    expect(planRetry(facts)).toMatchObject({ from: null, keep: ['a'], renewed: [] });
    expect(planRetry({ ...facts, fromStep: 'p' })).toMatchObject({ from: 'p', keep: ['a'], renewed: [] });
    // Result that existed before the end.
    const done = [...facts.outcomes, ...ok('p')];
    expect(planRetry({ ...facts, outcomes: done, fromStep: 'p' })).toMatchObject({ renewed: ['p', 'z'] });
  });

  it('a gate asks again where what it allows rests on the failure, and not where that is done', () => {
    const steps = plan(read('bad'), gate('one'), post('done'), gate('two'), post('rests', 'bad'));
    const facts = {
      plan: steps,
      outcomes: [...ok('done', 'rests'), ...failed('bad')],
      gates: [answered('one'), answered('two')],
    };
    // `rests` is done again: it lies behind both.
    expect(planRetry(facts).presets).toEqual({});
    const apart = { ...facts, plan: plan(read('bad'), gate('one'), post('done'), gate('two'), post('rests')) };
    expect(Object.keys(planRetry({ ...apart, outcomes: [...ok('done'), ...failed('bad')] }).presets)).toEqual(['one']);
    const needs = (step: StepPlan, ...names: string[]): StepPlan => ({ ...step, depends_on: names });
    const beside = plan(needs(read('bad')), needs(gate('one')), needs(post('p', 'bad'), 'one', 'bad'));
    const result = planRetry({ plan: beside, outcomes: failed('p', 'bad'), gates: [answered('one')] });
    expect([result.from, result.presets]).toEqual(['bad', {}]);
    const others = plan(
      {
        ...(gate('one') as Extract<StepPlan, { kind: 'approval' }>),
        rules: { approvers: { users: ['ann'] } },
      },
      post('p'),
      read('bad'),
    );
    const asked = { plan: others, gates: [answered('one')] };
    expect(Object.keys(planRetry({ ...asked, outcomes: [...ok('p'), ...failed('bad')] }).presets)).toEqual(['one']);
    expect(planRetry({ ...asked, outcomes: failed('p') }).presets).toEqual({});
  });

  it('calls of a model that failed in its second try, and tools that answered with an error, are no failure of their own', () => {
    const research = {
      ...common,
      kind: 'llm_task',
      name: 'w',
      key: 'w',
      action: 'research_with_tools',
      inputs: {},
      params: { tools: ['c.post'] },
      output_schema: { type: 'object', fields: [] },
    } as unknown as StepPlan;
    const facts = { plan: plan(research, tool('z')), gates: [] };
    const calls = [...failed('w/~model1', 'w/~tool1.0'), ...ok('w/~model1~t2', 'w/~model2~t2', 'z')];
    expect(planRetry({ ...facts, outcomes: calls }).from).toBeNull();
    // Model answers for other inputs do not count for these.
    const edited = {
      outcomes: [...ok('w/~model1', 'w/~tool1.0'), ...failed('w/~model2')],
      inputOverride: { task: 'x' },
    };
    expect(planRetry({ ...facts, ...edited })).toMatchObject({ keep: [], renewed: ['w'] });
    const harmless = { ...research, params: {} } as StepPlan;
    const feeds = plan(harmless, post('sends', 'w'));
    expect(planRetry({ plan: feeds, gates: [], ...edited })).toMatchObject({ from: 'w', keep: [] });
    expect(planRetry({ plan: feeds, gates: [], outcomes: edited.outcomes }).keep).toEqual(['w/~model1', 'w/~tool1.0']);
    expect(planRetry({ ...facts, outcomes: [...ok('w/~model1', 'w/~tool1.0'), ...failed('w/~model2')] })).toMatchObject(
      {
        from: 'w',
        keep: ['w/~model1', 'w/~tool1.0'],
      },
    );
  });
});
