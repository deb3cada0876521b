import { describe, expect, it } from '@jest/globals';
import { callDigest, requestDigest } from '../../../core/engine/digest';
import type { ApprovalRequest, ChildCommand, RunCommand } from '../../../core/engine/commands';
import { shownInputs } from '../../../core/engine/shown-inputs';
import { carriedAnswers } from '../../../core/playbook/retry-marks';
import type { JsonObject } from '../../../core/base/json';
import type { RunFacts } from '../../../core/engine/state';
import { planToRun } from '../../../core/playbook/plan-to-run';
import { planOf, Simulator } from './simulator';

/** Edited inputs at the gates of a retry: whatever stands between, the request shows them and its digest covers them. */

const ASK = (name: string, more = ''): string => `{name: ${name}, step_type: approval, prompt: "Pay?"${more}}`;
const CALL = (name: string, note: string, more = ''): string =>
  `{name: ${name}, step_type: tool, action: slow, inputs: {note: "${note}"}${more}}`;
const SUB = '{name: f, step_type: tool, action: run_playbook, playbook: other, inputs: {N: "1"}}';

function retry(steps: string[], facts: Partial<RunFacts> = {}, more = ''): Simulator {
  const text = `id: g\nname: G\nsteps:\n${steps.map((step) => `  - ${step}`).join('\n')}\n${more}`;
  return new Simulator(planToRun(planOf(text), text, { lookup: {}, effectBehind: true }), {
    runId: 'run-2',
    effectRoot: 'run-1',
    ...facts,
  });
}
function asked(sim: Simulator, at = 0): ApprovalRequest {
  const request = sim.approvals[at];
  if (request === undefined) throw new Error('no request');
  return request;
}
const EVIL = { note: 'pay MALLORY 999999' };
const shown = (step: string, inputs: unknown = EVIL) => [expect.objectContaining({ step, inputs })];

it.each<[string, string[], string]>([
  ['behind a read', [ASK('g'), CALL('r', 'x'), CALL('f', 'pay Bolt 20')], ''],
  ['right behind the gate', [ASK('g'), CALL('f', 'pay Bolt 20')], ''],
  [
    'behind a list',
    [ASK('g'), `{name: each, for_each: {items: [1], as: x, steps: [${CALL('q', '{x}')}]}}`, CALL('f', 'a')],
    '',
  ],
  ['that depends on the gate', [ASK('g'), CALL('f', 'pay', ', depends_on: [g]')], ''],
  ['that goes on as a playbook', [ASK('g'), CALL('r', 'x'), SUB], ''],
  [
    'that goes after a no alone',
    [ASK('g', ', on_reject: skip'), CALL('f', 'a', `, condition: "{g.decision} == 'rejected'"`)],
    '',
  ],
  [
    'whose result is written',
    [
      ASK('g'),
      '{name: f, step_type: llm_task, action: ai, inputs: {note: "a"}, output_schema: {type: object, fields: [{name: v, type: string}]}}',
    ],
    'output: {destinations: [{type: file_export, config: {filename: a.md}}], sections: [{title: A, source: f}]}\n',
  ],
])('an edit of a step %s is shown and stands under the digest', (_where, steps, more) => {
  const of = (note: string | undefined): ApprovalRequest => {
    const sim = retry(steps, note === undefined ? {} : { overrides: { f: { note } } }, more);
    const event = sim.events.find(({ type }) => type === 'approval.requested');
    if (note !== undefined) expect(event?.payload['edited']).toMatchObject(shown('f', { note }));
    return asked(sim);
  };
  const [plain, evil, same, other] = [of(undefined), of(EVIL.note), of(EVIL.note), of('pay MALLORY 1')];
  expect(plain.effects_behind).not.toHaveProperty('edited');
  expect(evil.effects_behind?.edited).toEqual(shown('f'));
  expect(evil.digest).toBe(same.digest);
  expect(new Set([plain.digest, evil.digest, other.digest]).size).toBe(3);
});

it('is shown by both gates before it, and what was approved is what leaves', () => {
  const steps = [ASK('g1'), CALL('e', 'x'), ASK('g2'), CALL('q', 'y'), CALL('h', 'z')];
  const sim = retry(steps, { overrides: { h: EVIL } });
  expect(asked(sim).effects_behind?.edited).toEqual(shown('h'));
  sim.decide('g1', 'approved');
  const [unit] = (sim.last.find(({ kind }) => kind === 'run') as RunCommand).units;
  if (unit === undefined) throw new Error('nothing left');
  const { effects_behind: behind } = unit;
  expect(requestDigest(callDigest(unit), { prompt: 'Pay?', ...(behind && { effects_behind: behind }) })).toBe(
    asked(sim).digest,
  );
  sim.ok('e');
  expect(asked(sim, 1).effects_behind?.edited).toEqual(shown('h'));
});

it('is shown from inside lists, loops and routes', () => {
  for (const around of [
    (gate: string) => `{name: s, for_each: {items: [1], as: x, steps: [${gate}]}}`,
    (gate: string) => `{name: s, loop: {until: "true", max_iterations: 2, steps: [${gate}]}}`,
    (gate: string) => `{name: s, route: {on: "a", routes: {a: [${gate}]}}}`,
    (gate: string) => `{name: s, parallel_steps: [${gate}]}`,
  ])
    expect(asked(retry([around(ASK('g')), CALL('f', 'a')], { overrides: { f: EVIL } })).effects_behind?.edited).toEqual(
      shown('f'),
    );
});

it('is not shown by a gate behind it', () => {
  const sim = retry([CALL('f', 'a'), ASK('g'), CALL('e', '{f.v}')], { overrides: { f: EVIL } });
  sim.ok('f');
  expect(asked(sim).effects_behind).not.toHaveProperty('edited');
});

it('an edit of an approver whose yes holds again is shown by a gate before that asks', () => {
  const steps = [
    ASK('g'),
    CALL('x', 'a', ', depends_on: [g]'),
    `{name: both, depends_on: [g], parallel_steps: [{name: w, route: {on: "a", routes: {a: [${ASK('h')}, ${CALL('e', 'b')}]}}}]}`,
  ];
  const sim = retry(steps, { presets: { 'both/w/h': { decision: 'approved', edits: EVIL } } });
  expect(asked(sim).effects_behind?.edited).toEqual(shown('both/w/e'));
});

describe('a sub-playbook', () => {
  it('is told what was edited of its call and behind it, also by callers further up', () => {
    const above = { step: '(caller) top', inputs: { a: 1 }, digest: 'd' };
    const sim = retry([SUB, CALL('e', 'a')], { overrides: { f: { N: 'EVIL' }, e: EVIL }, edited: [above] });
    const { edited } = sim.last.find(({ kind }) => kind === 'child') as ChildCommand;
    expect(edited).toEqual([above, ...shown('(caller) f', { N: 'EVIL' }), ...shown('(caller) e')]);
    const child = retry([ASK('g'), CALL('q', 'x')], edited === undefined ? {} : { edited });
    expect(asked(child).effects_behind?.edited).toEqual(edited);
    expect(asked(child).digest).not.toBe(asked(retry([ASK('g'), CALL('q', 'x')])).digest);
  });
  it('of a run without edits is told nothing', () => {
    expect(retry([SUB, CALL('e', 'a')]).last.find(({ kind }) => kind === 'child')).not.toHaveProperty('edited');
  });
});

it('the digest of a retry covers what the steps behind the gate read of before it', () => {
  const of = (v: number, facts: Partial<RunFacts> = {}): ApprovalRequest => {
    const sim = retry([CALL('r', 'a'), ASK('g'), CALL('q', 'b'), CALL('e', '{r.v}')], facts);
    sim.ok('r', { r: { v } });
    return asked(sim);
  };
  expect(of(1).digest).toBe(of(1).digest);
  expect(of(1).digest).not.toBe(of(2).digest);
});

it('a request of a run that began before is as it was', () => {
  const older = retry([CALL('r', 'x'), ASK('g'), CALL('q', '{r.v}'), CALL('f', 'a')], { overrides: { f: EVIL } });
  older.newer = () => false;
  older.ok('r', { r: { v: 1 } });
  expect(asked(older).effects_behind).toEqual({
    steps: [{ step: 'q' }, { step: 'f' }],
    caller: true,
    on_timeout: undefined,
  });
});

it('shows no secret, and of a large value its beginning and size', () => {
  const large = 'x'.repeat(10_000);
  expect(
    shownInputs({ note: 'a', api_key: 'k', headers: { Authorization: 'Bearer k' }, text: large, none: null }),
  ).toEqual({
    note: 'a',
    api_key: '[masked]',
    headers: { Authorization: '[masked]' },
    text: `${'x'.repeat(1000)}… (10002 bytes in all)`,
    none: null,
  });
  const request = (end: string): ApprovalRequest =>
    asked(retry([ASK('g'), CALL('q', 'a'), CALL('f', 'b')], { overrides: { f: { note: large + end } } }));
  expect(request('a').effects_behind?.edited?.[0]?.inputs).toEqual(request('b').effects_behind?.edited?.[0]?.inputs);
  expect(request('a').digest).not.toBe(request('b').digest);
});

describe('the key under which a step leaves behind a gate of a retry', () => {
  const of = (left: object | undefined, answer: 'approved' | 'rejected', edits?: object): (string | undefined)[] => {
    const sim = retry([ASK('g', ', on_reject: skip'), CALL('e', 'V0')], {
      presets:
        left === undefined
          ? {}
          : (carriedAnswers({ presets: {}, takenOver: [], left: { g: left as JsonObject } }) as never),
    });
    sim.decide('g', answer, edits === undefined ? {} : { edits: edits as JsonObject });
    const [unit] = (sim.last.find(({ kind }) => kind === 'run') as RunCommand).units;
    return [unit?.effectKey, unit?.leavesAs];
  };
  it('is that of before for the same body, and another one for each other body', () => {
    expect(of({}, 'approved')).toEqual(['run-1/e', undefined]);
    expect(of(EVIL, 'approved', EVIL)).toEqual(['run-1/e', undefined]);
    const edited = of({}, 'approved', EVIL);
    expect(edited[1]).toMatch(/^run-1\/e~[0-9a-f]{16}$/);
    expect(of({}, 'approved', EVIL)).toEqual(edited);
    expect(of({}, 'approved', { note: 'b' })[1]).not.toBe(edited[1]);
    expect(of(EVIL, 'approved')[1]).toMatch(/^run-1\/e~/);
    // Sends the call unedited without an approval.
    expect(of(EVIL, 'rejected')[1]).toBe(of(EVIL, 'approved')[1]);
    expect(of({}, 'rejected')[1]).toBeUndefined();
  });
  it('is that of before in a run that began before', () => {
    expect(of(undefined, 'approved', EVIL)).toEqual(['run-1/e', undefined]);
  });
  it('is another one too where a yes with edits holds again', () => {
    const presets = carriedAnswers({
      presets: { g: { decision: 'approved', edits: EVIL } },
      takenOver: [],
      left: { g: {} },
    });
    const sim = retry([ASK('g'), CALL('e', 'V0')], { presets: presets as never });
    const [unit] = (sim.last.find(({ kind }) => kind === 'run') as RunCommand).units;
    expect(unit).toMatchObject({ effectKey: 'run-1/e', leavesAs: of({}, 'approved', EVIL)[1], edits: EVIL });
  });
});
