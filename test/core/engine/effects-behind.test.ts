import { describe, expect, it } from '@jest/globals';
import { callDigest, requestDigest } from '../../../core/engine/digest';
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
