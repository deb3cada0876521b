import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import type { ApprovalRequest, ChildCommand } from '../../../core/engine/commands';
import type { CallerReads, RunFacts } from '../../../core/engine/state';
import { planToRun } from '../../../core/playbook/plan-to-run';
import { planOf, Simulator } from './simulator';

/** Values in the digest of a retry's request that the request does not show, also values of callers. */

const CALL = (name: string, note = 'x', more = ''): string =>
  `{name: ${name}, step_type: tool, action: slow, inputs: {note: "${note}"}${more}}`;
const SUB = '{name: s, action: run_playbook, playbook: other}';
const GATE = '{name: g, step_type: approval, prompt: "Pay?"}';
const MOVE = (name: string, value: string): string =>
  `{name: ${name}, step_type: tool, action: transform_data, inputs: {data: [{v: "${value}"}]}, operations: [{type: limit, count: 1}]}`;

function retry(steps: string[], facts: Partial<RunFacts> = {}): Simulator {
  const text = `id: p\nname: P\nsteps:\n${steps.map((step) => `  - ${step}`).join('\n')}\n`;
  const callers = { lookup: {}, effectBehind: facts.callerReads !== undefined };
  return new Simulator(planToRun(planOf(text), text, callers), { runId: 'run-2', effectRoot: 'run-1', ...facts });
}
/** Answers every read until the run stands at a gate or a sub-playbook. */
function upTo(sim: Simulator, v: Json, ahead: () => boolean): Simulator {
  while (!ahead()) {
    const unit = sim.of('run')[0]?.units[0];
    if (unit === undefined) throw new Error('the run stands still');
    sim.ok(unit.path, { [unit.path]: { v } });
  }
  return sim;
}
function told(steps: string[], v: Json, facts: Partial<RunFacts> = {}): CallerReads | undefined {
  const sim = retry(steps, facts);
  upTo(sim, v, () => sim.of('child').length > 0);
  return (sim.of('child')[0] as ChildCommand).callerReads;
}
function digest(steps: string[], v: Json, callerReads?: CallerReads): string {
  const sim = retry(steps, callerReads === undefined ? {} : { callerReads });
  upTo(sim, v, () => sim.approvals.length > 0);
  return (sim.approvals[0] as ApprovalRequest).digest;
}
function expectTold(of: (v: Json) => string): void {
  expect(of('V0')).toBe(of('V0'));
  expect(of('V0')).not.toBe(of('V7'));
}
const INNER = [GATE, CALL('x')];

describe('the gate of a sub-playbook covers what its caller sends behind the call', () => {
  const each = (steps: string[]): string =>
    `{name: each, for_each: {items: [1, 2], as: row, max_parallel: 1, steps: [${steps.join(', ')}]}}`;
  it.each<[string, string[]]>([
    ['of a step before it', [CALL('r'), SUB, CALL('e', 'pay {r.v}')]],
    ['through a transform before it', [CALL('r'), MOVE('t', '{r.v}'), SUB, CALL('e', '{t.data}')]],
    ['through a transform behind it', [CALL('r'), SUB, MOVE('t', '{r.v}'), CALL('e', '{t.data}')]],
    ['by a condition', [CALL('r'), SUB, CALL('e', 'pay', `, condition: "{r.v} == 'V0'"`)]],
    ['from inside a route', [CALL('r'), `{name: w, route: {on: a, routes: {a: [${SUB}]}}}`, CALL('e', '{r.v}')]],
    [
      'by the label of a route behind it',
      [CALL('r'), SUB, `{name: w, route: {on: "{r.v}", routes: {V0: [${CALL('e')}]}, default: V0}}`],
    ],
    [
      'as the list of a map behind it',
      [CALL('r'), SUB, `{name: m, for_each: {items: "{r.v}", as: i, steps: [${CALL('e', '{i}')}]}}`],
    ],
    ['in an element', [each([CALL('r', '{row}'), SUB, CALL('e', 'pay {r.v}')])]],
    [
      'in a turn',
      [
        `{name: l, loop: {until: "1 > 2", max_iterations: 3, steps: [${[CALL('r'), SUB, CALL('e', '{r.v}')].join(', ')}]}}`,
      ],
    ],
    [
      'in the turn behind',
      [
        `{name: l, loop: {until: "1 > 2", max_iterations: 3, steps: [${[CALL('e', '{r.v}'), CALL('r'), SUB].join(', ')}]}}`,
      ],
    ],
    [
      'and as an input of another call',
      [CALL('r'), SUB, '{name: s2, action: run_playbook, playbook: third, inputs: {n: "{r.v}"}}'],
    ],
  ])('%s', (_where, steps) => {
    expectTold((v) => digest(INNER, 'same', told(steps, v)));
  });

  it('at any depth', () => {
    expectTold((v) => {
      const top = told([CALL('r'), SUB, CALL('e', 'pay {r.v}')], v);
      return digest(INNER, 'same', told([CALL('q'), SUB], 'same', top === undefined ? {} : { callerReads: top }));
    });
  });

  it('and what its callers read of its own results, as far as it is there', () => {
    const reads = (note: string): CallerReads | undefined => told([SUB, CALL('e', note)], 'same');
    const child = [CALL('c'), GATE, CALL('x'), MOVE('t', '{c.v}')];
    for (const note of ['{s.outputs.c.v}', '{s.result.outputs.t}', '{s.outputs}', '{s}'])
      expectTold((v) => digest(child, v, reads(note)));
    // The result of a step behind the gate is not there yet, and nothing else is read.
    expect(digest(child, 'V0', reads('{s.outputs.x}'))).toBe(digest(child, 'V7', reads('{s.outputs.x}')));
    expect(digest(child, 'V0', reads('{s.result.status}'))).toBe(digest(child, 'V7', reads('{s.result.status}')));
    // Read through the result of the sub-playbook between.
    const top = told([SUB, CALL('e', '{s.outputs.s.outputs.c.v}')], 'same');
    expect(told([SUB], 'same', top === undefined ? {} : { callerReads: top })?.results).toEqual([
      ['outputs', 'c', 'v'].map((name) => ({ kind: 'field', name })),
    ]);
  });

  it('covers nothing that nobody sends, and is not told in a run that is no retry', () => {
    const steps = [CALL('r'), SUB, CALL('e', 'pay')];
    expect(told(steps, 'V0')).toBeUndefined();
    const first = retry([CALL('r'), SUB, CALL('e', 'pay {r.v}')], { effectRoot: undefined });
    first.ok('r', { r: { v: 1 } });
    expect(first.of('child')[0]).not.toHaveProperty('callerReads');
  });

  it('in a run that began before it is as it was', () => {
    const sim = retry([CALL('r'), SUB, CALL('e', 'pay {r.v}')]);
    sim.newer = (change) => change !== 'caller-reads';
    sim.ok('r', { r: { v: 1 } });
    expect(sim.of('child')[0]).not.toHaveProperty('callerReads');
    const child = (callerReads?: CallerReads): string => {
      const inner = retry([CALL('c'), ...INNER], callerReads === undefined ? {} : { callerReads });
      inner.newer = (change) => change !== 'caller-reads';
      inner.ok('c', { c: { v: 1 } });
      return inner.approvals[0]?.effects_behind?.reads ?? 'none';
    };
    expect(child({ digest: 'd', results: [] })).toBe(child());
  });
});

it.each<[string, (steps: string[]) => string]>([
  ['a turn', (steps) => `{name: l, loop: {until: "1 > 2", max_iterations: 3, steps: [${steps.join(', ')}]}}`],
  [
    'an element',
    (steps) => `{name: l, for_each: {items: [1, 2, 3], as: i, max_parallel: 1, steps: [${steps.join(', ')}]}}`,
  ],
])('a gate in %s covers what its own steps before it gave to those behind it', (_name, around) => {
  expectTold((v) => digest([around([CALL('r'), GATE, CALL('x'), CALL('e', 'pay {r.v}')])], v));
  // Values for the next iteration are made again before it reads them.
  const next = [CALL('r'), MOVE('t', '{r.v}'), GATE, CALL('x')];
  expect(digest([around(next)], 'V0')).toBe(digest([around(next)], 'V7'));
});
