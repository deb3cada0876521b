import { describe, expect, it } from '@jest/globals';
import { callDigest, requestDigest } from '../../../core/engine/digest';
import { carriedAnswers } from '../../../core/playbook/retry-marks';
import { planToRun } from '../../../core/playbook/plan-to-run';
import type { Plan } from '../../../core/playbook/types';
import { planOf, Simulator } from './simulator';

/** Actions that no contract describes count as effects; a transform is none. */
const GATE = '{name: g, step_type: approval, prompt: "Go on, {who}?"}';
const SEND = '{name: p, step_type: tool, action: slow, inputs: {note: "{f.count} rows"}}';
const READ = '{name: f, step_type: tool, action: slow, on_error: skip}';
const QUERY =
  '{name: q, step_type: tool, action: transform_data, inputs: {data: [{a: 1}]}, operations: [{type: limit, count: 1}]}';

function runPlan(steps: readonly string[], { input = 'who', effectBehind = false } = {}): Plan {
  const text = `id: g\nname: G\ninputs: [{name: ${input}, type: any}]\nsteps:\n${steps.map((step) => `  - ${step}`).join('\n')}\n`;
  return planToRun(planOf(text), text, { lookup: {}, effectBehind });
}
const simulate = (
  steps: readonly string[],
  more: { who?: string; runId?: string; effectBehind?: boolean } = {},
): Simulator =>
  new Simulator(runPlan(steps, more), { inputs: { who: more.who ?? 'Ann' }, runId: more.runId ?? 'run-1' });

const failed = [{ step: 'f', kind: 'failed' }];

describe('the request of a gate', () => {
  it('says what lies behind it where its plan does, and only then', () => {
    const [asked] = simulate([GATE, QUERY, SEND]).approvals;
    expect(asked?.effects_behind).toEqual({ steps: [{ step: 'p' }] });
    const older = new Simulator(planOf(`id: g\nname: G\nsteps:\n  - ${GATE}\n  - ${SEND}\n`));
    expect(older.approvals[0]).not.toHaveProperty('effects_behind');
  });

  it.each<[string, string]>([
    ['behind a query', SEND],
    ['in a map', `{name: each, for_each: {items: [1, 2], as: row, steps: [${SEND}]}}`],
    ['in a parallel', `{name: both, parallel_steps: [${SEND}]}`],
    ['in a route', `{name: way, route: {on: "a", routes: {a: [${SEND}]}}}`],
    ['through another step', `{name: each, for_each: {items: "{f.rows}", as: row, steps: [${SEND}]}}`],
  ])('names a failure that an effect %s rests on', (_where, behind) => {
    const sim = simulate([READ, GATE, QUERY, behind]);
    sim.fail('f');
    expect(sim.approvals[0]?.failures).toMatchObject(failed);
    const event = sim.events.find(({ type }) => type === 'approval.requested');
    expect(event?.payload['failures']).toMatchObject(failed);
  });

  it.each<[string, string[]]>([
    ['the branch of what an effect reads', ['WAY', GATE, SEND.replace('{f.count} rows', '{q.x}')]],
    [
      'the branch that the gate lies in',
      [
        `{name: way, route: {on: "{f.kind}", default: b, routes: {b: [${GATE}, {name: z, step_type: tool, action: slow}]}}}`,
      ],
    ],
    [
      'the gate itself',
      [
        GATE.replace('step_type', `condition: "{f.kind} == null", step_type`),
        '{name: z, step_type: tool, action: slow}',
      ],
    ],
  ])('names a failure that chose %s', (_what, steps) => {
    const way = `{name: way, route: {on: "{f.kind}", default: b, routes: {b: [{name: q, step_type: tool, action: slow}]}}}`;
    const sim = simulate([READ, ...steps.map((step) => (step === 'WAY' ? way : step))]);
    sim.fail('f');
    if (steps[0] === 'WAY') sim.ok('way/q');
    expect(sim.approvals[0]?.failures).toMatchObject(failed);
  });

  it('of a retry shows and names what leaves, and not what is taken over', () => {
    const first = '{name: a, step_type: tool, action: slow, inputs: {note: "a"}}';
    const pay = '{name: pay, step_type: tool, action: slow, inputs: {note: "pay Bolt 20"}}';
    const retry = (steps: string[], kept: string[]): Simulator =>
      new Simulator(runPlan(steps), {
        inputs: { who: 'Ann' },
        effectRoot: 'run-0',
        presets: carriedAnswers({ presets: {}, takenOver: kept }) as never,
        overrides: { pay: { note: 'pay Ann 1000' } },
      });
    const sim = retry([GATE, first, pay], ['a']);
    expect(sim.approvals[0]).toMatchObject({
      action: { step: 'pay', inputs: { note: 'pay Ann 1000' } },
      effects_behind: { steps: [{ step: 'pay' }] },
    });
    expect(sim.approvals[0]?.digest).not.toBe(retry([GATE, first, pay], []).approvals[0]?.digest);
    sim.decide('g', 'approved');
    expect(sim.run('a').units[0]).not.toHaveProperty('approvalId');
    sim.ok('a');
    expect(sim.run('pay').units[0]).toMatchObject({ edits: { note: 'pay Ann 1000' }, approvalId: expect.any(String) });
    // Covers structures too; a step that reads a taken-over step is named, and its call is not known yet.
    const inside = retry([GATE, `{name: both, parallel_steps: [${first}]}`, pay], ['both/a']);
    expect(inside.approvals[0]?.effects_behind).toMatchObject({ steps: [{ step: 'pay' }] });
    const reads = retry([GATE, first, pay.replace('Bolt', '{a.id}')], ['a']);
    expect(reads.approvals[0]).toMatchObject({ action: null, effects_behind: { steps: [{ step: 'pay' }] } });
  });

  it('names it where steps depend on each other', () => {
    const sim = simulate([READ, GATE.replace(/\}$/, ', depends_on: [f]}'), SEND.replace(/\}$/, ', depends_on: [g]}')]);
    sim.fail('f');
    expect(sim.approvals[0]).toMatchObject({ failures: failed, effects_behind: { steps: [{ step: 'p' }] } });
  });

  it('has another digest where it asks something else, of another run, or other things lie behind it', () => {
    const map = `{name: each, for_each: {items: [1], as: row, steps: [${SEND}]}}`;
    const digest = (...of: Parameters<typeof simulate>): string | undefined => simulate(...of).approvals[0]?.digest;
    const digests = [
      digest([GATE, QUERY, map]),
      digest([GATE, QUERY, map], { who: 'Bob' }),
      digest([GATE, QUERY, map], { runId: 'run-2' }),
      digest([GATE, QUERY, map, SEND.replace('name: p', 'name: z')]),
      digest([GATE, QUERY, map], { effectBehind: true }),
      digest([GATE]),
      digest([GATE.replace('Go on', 'Stop')]),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(digest([GATE, QUERY, map])).toBe(digests[0]);
  });

  it('is bound to the call, the question and what lies behind, as its row has them', () => {
    const sim = simulate([GATE, SEND], { who: 'A\u0000\ud800nn' });
    const [asked] = sim.approvals;
    sim.decide('g', 'approved');
    const [unit] = sim.run('p').units;
    if (unit === undefined || asked?.effects_behind === undefined) throw new Error('nothing asked');
    const kept = { prompt: 'Go on, A\ufffd\ufffdnn?', effects_behind: asked.effects_behind };
    expect(requestDigest(callDigest(unit), kept)).toBe(asked.digest);
    expect(requestDigest(callDigest(unit), { ...kept, prompt: 'Go on?' })).not.toBe(asked.digest);
  });
});

describe('a sub-playbook', () => {
  const lacksOf = (given = {}): unknown => {
    const call = '{name: sub, action: run_playbook, playbook: other, inputs: {n: "{f.rows}", fixed: 1}}';
    const sim = new Simulator(runPlan([READ, call]), { overrides: given });
    sim.fail('f');
    return sim.of('child')[0]?.lacks;
  };
  const told = [{ step: '(caller) f', kind: 'failed' }];

  it('is given what its inputs lack, but of those that a person gave', () => {
    expect(lacksOf()).toEqual({ n: [expect.objectContaining({ step: '(caller) f', kind: 'failed' })] });
    expect(lacksOf({ sub: { n: [1] } })).toBeUndefined();
  });

  const lacks = lacksOf() as NonNullable<ConstructorParameters<typeof Simulator>[1]>['lacks'];
  const child = (...steps: string[]): Simulator =>
    new Simulator(runPlan(steps, { input: 'n' }), { inputs: { n: null }, ...(lacks === undefined ? {} : { lacks }) });

  it.each<[string, string[]]>([
    ['question', ['{name: g, step_type: approval, prompt: "child {n}"}']],
    ['preview', ['{name: g, step_type: approval, prompt: "child", preview_from: n}']],
    ['call', [GATE.replace(', {who}', ''), '{name: p, step_type: tool, action: slow, inputs: {note: "{n}"}}']],
  ])('says it where the %s reads the input', (_what, steps) => {
    expect(child(...steps).approvals[0]?.failures).toMatchObject(told);
  });

  it('says it through its steps and to its own sub-playbooks, and nothing where the input is not read', () => {
    const sim = child(
      '{name: own, step_type: tool, action: slow, inputs: {note: "{n}"}}',
      '{name: g, step_type: approval, prompt: "child {own.x}"}',
      '{name: sub, action: run_playbook, playbook: other, inputs: {m: "{own.x}"}}',
    );
    sim.ok('own', { x: 1 });
    expect(sim.approvals[0]?.failures).toMatchObject(told);
    sim.decide('g', 'approved');
    expect(sim.of('child')[0]?.lacks).toMatchObject({ m: told });
    expect(child('{name: g, step_type: approval, prompt: "child"}').approvals[0]).not.toHaveProperty('failures');
  });
});

describe('what a decision lets go, as far as it is known when the gate asks', () => {
  const ASK = '{name: g, step_type: approval, prompt: "Go on?", on_reject: skip}';
  const slow = (name: string, more = ''): string => `{name: ${name}, step_type: tool, action: slow${more}}`;
  const NO = slow('no', `, condition: "{g.decision} == 'rejected'"`);
  const YES = slow('yes', `, condition: "{g.decision} == 'approved'", inputs: {note: "for {who}"}`);
  const names = (...steps: string[]): object => ({ steps: steps.map((step) => ({ step })) });

  it('shows the call that a yes makes, and a yes is for that call alone', () => {
    const sim = simulate([ASK, NO, YES]);
    const [asked] = sim.approvals;
    expect(asked).toMatchObject({ action: { step: 'yes', inputs: { note: 'for Ann' } } });
    expect(asked?.effects_behind).toEqual({ ...names('yes'), on_reject: names('no') });
    sim.decide('g', 'approved');
    const [unit] = sim.run('yes').units;
    if (unit === undefined || asked === undefined) throw new Error('nothing asked');
    expect(unit).toMatchObject({ approvalId: asked.id, effects_behind: asked.effects_behind });
    expect(requestDigest(callDigest(unit), { prompt: asked.prompt, effects_behind: unit.effects_behind! })).toBe(
      asked.digest,
    );
  });

  it('a no lets go what only a no does, and that was in no call', () => {
    const sim = simulate([ASK, NO, YES]);
    sim.decide('g', 'rejected');
    expect(sim.run('no').units[0]).not.toHaveProperty('approvalId');
  });

  it('shows no call that reads how a step ended that a yes leaves out', () => {
    expect(simulate([ASK, NO, slow('yes', ', inputs: {note: "{no.status}"}')]).approvals[0]?.action).toBeNull();
    expect(
      simulate([ASK, `{name: way, route: {on: "{g.decision}", routes: {rejected: [${slow('r')}]}}}`, YES]).approvals[0]
        ?.action,
    ).toBeNull();
  });

  it('names no step whose condition is false already by inputs and by steps that are over, and shows the next one', () => {
    const off = slow('off', `, condition: "{who} == 'Bob'"`);
    const less = slow('less', ', condition: "{f.count} > 5 and {later.x} == 1"');
    const open = slow('open', ', condition: "{later.x} == 1"');
    const more = slow('more', ', condition: "{f.count} > 2"');
    const sim = simulate([READ, ASK, off, less, slow('later'), open, more]);
    sim.ok('f', { f: { count: 3 } });
    const [asked] = sim.approvals;
    expect(asked).toMatchObject({ action: { step: 'later' }, effects_behind: names('later', 'open', 'more') });
    sim.decide('g', 'approved');
    const [unit] = sim.run('later').units;
    expect(unit?.effects_behind).toEqual(asked?.effects_behind);
  });

  it('names nothing of a list that is empty already, nor of a branch that another label leaves out', () => {
    const map = `{name: each, for_each: {items: "{f.rows}", as: row, steps: [${slow('p')}]}}`;
    const route = `{name: way, route: {on: "{f.kind}", default: b, routes: {a: [${slow('a')}], b: [${slow('b')}]}}}`;
    const behind = (rows: number[], kind: string): unknown => {
      const sim = simulate([READ, ASK, map, route]);
      sim.ok('f', { f: { rows, kind } });
      return sim.approvals[0]?.effects_behind?.steps.map(({ step }) => step);
    };
    expect([behind([], 'a'), behind([1], 'x')]).toEqual([['a'], ['p', 'b']]);
  });

  it.each<[number, string[]]>([
    [0, []],
    [1, ['p']],
  ])('what comes again in a loop is not over (%s)', (last, left) => {
    const body = [slow('n'), ASK, slow('p', ', condition: "{n.x} == 1"')].join(', ');
    const sim = simulate([`{name: again, loop: {until: "{n.x} == 2", max_iterations: 2, steps: [${body}]}}`]);
    sim.ok('again[0]/n', { 'again[0]/n': { x: 0 } });
    expect(sim.approvals[0]?.effects_behind).toMatchObject(names('n', 'p'));
    sim.decide('again[0]/g', 'approved');
    sim.ok('again[1]/n', { 'again[1]/n': { x: last } });
    // Names nothing of a next iteration in the last one; values that were read stay.
    expect(sim.approvals[1]?.effects_behind).toMatchObject(names(...left));
  });

  it('nothing of other elements lies behind a gate when all have begun', () => {
    const map = (room: number): Simulator =>
      simulate(
        [`{name: each, for_each: {items: "{who}", as: row, max_parallel: ${room}, steps: [${slow('pre')}, ${ASK}]}}`],
        {
          who: ['a', 'b', 'c'] as unknown as string,
        },
      );
    const behind = (sim: Simulator, at: number): unknown => {
      sim.ok(`each[${at}]/pre`);
      return sim.approvals.at(-1)?.effects_behind;
    };
    const again = { steps: [{ step: 'pre', in_each: true }] };
    const wide = map(3);
    expect(behind(wide, 0)).toEqual({ steps: [], on_reject: { steps: [] } });
    const narrow = map(2);
    expect(behind(narrow, 0)).toEqual({ ...again, on_reject: again });
    narrow.decide('each[0]/g', 'approved');
    expect(behind(narrow, 1)).toEqual({ steps: [], on_reject: { steps: [] } });
  });

  it('a destination reads inputs, and no element of the same name', () => {
    const output = `output: {destinations: [{type: file_export, config: {filename: a.md}, condition: "{who} == 'Ann'"}]}`;
    const behind = (step: string, who: string): unknown => {
      const text = `id: g\nname: G\ninputs: [{name: who, type: any}]\nsteps:\n  - ${step}\n${output}\n`;
      const sim = new Simulator(planToRun(planOf(text), text, { lookup: {} }), { inputs: { who } });
      return sim.approvals[0]?.effects_behind?.destinations;
    };
    const inList = `{name: outer, for_each: {items: [7], as: who, steps: [${ASK}]}}`;
    expect([behind(inList, 'Ann'), behind(ASK, 'Ann'), behind(ASK, 'Bob')]).toEqual([
      ['file_export'],
      ['file_export'],
      undefined,
    ]);
  });

  it('an element that another map has under the same name is not known', () => {
    const steps = [slow('p', ', condition: "{row} == 1"')].join(', ');
    const map = `{name: each, for_each: {items: [1, 2], as: row, steps: [${steps}]}}`;
    const around = `{name: outer, for_each: {items: [7], as: row, steps: [${ASK}]}}`;
    expect(simulate([around, map]).approvals[0]?.effects_behind).toMatchObject({
      steps: [{ step: 'p', in_each: true }],
    });
    const own = `{name: outer, for_each: {items: [7], as: row, steps: [${ASK}, ${steps}]}}`;
    expect(simulate([own]).approvals[0]?.effects_behind).toMatchObject({ steps: [] });
  });
});
