import { describe, expect, it } from '@jest/globals';
import type { EffectLookup } from '../../../core/playbook/effects';
import { planRetry, type GateOutcome, type RetryPlan } from '../../../core/playbook/retry-plan';
import { planOf, withSteps } from './support';

/**
 * Steps that a retry does not repeat, as nothing that they depend on failed. Endpoints `put` have an effect, others
 * read.
 */
const lookup: EffectLookup = { endpointEffect: (_slug, endpoint) => (endpoint === 'put' ? 'keyed' : 'none') };

const call = (name: string, endpoint: string, reads: string): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: shop, endpoint: ${endpoint}, inputs: {note: "${reads}"}}`;
const post = (name: string, reads = ''): string => call(name, 'put', reads);
const get = (name: string, reads = ''): string => call(name, 'get', reads);
const loop = (name: string, steps: string[]): string =>
  `{name: ${name}, loop: {until: "1 > 2", max_iterations: 3, steps: [${steps.join(', ')}]}}`;

function retried(steps: string[], ok: string[], failed: string[], gates: GateOutcome[] = []): RetryPlan {
  const plan = planOf(withSteps(steps.map((step) => `  - ${step}`).join('\n')));
  const outcomes = [
    ...ok.map((step_path) => ({ step_path, ok: true })),
    ...failed.map((step_path) => ({ step_path, ok: false })),
  ];
  return planRetry({ plan, outcomes, gates, lookup });
}

it('in a loop what reads a later step rests on the turn before', () => {
  const ok = ['x[0]/p', 'x[0]/via', 'x[0]/r', 'x[1]/p', 'x[1]/via', 'x[2]/p', 'x[2]/r'];
  const of = (steps: string[]): RetryPlan => retried([loop('x', steps)], ok, ['x[1]/r']);
  const direct = of([post('p', '{r.x}'), get('via'), get('r')]);
  expect(direct.renewed).toEqual(['x[2]/p']);
  expect(direct.keep).toEqual(expect.arrayContaining(['x[0]/p', 'x[1]/p']));
  expect(of([get('via', '{r.x}'), post('p', '{via.x}'), get('r')]).renewed).toEqual(['x[2]/p']);
  // Depends on earlier steps of its iteration, also through steps between.
  expect(of([get('r'), get('via', '{r.x}'), post('p', '{via.x}')]).renewed).toEqual(['x[1]/p', 'x[2]/p']);
});

it('in a loop, or behind it, the last turn that made it counts, unless another hands it on', () => {
  const ok = ['x[0]/e', 'x[1]/r', 'x[1]/e', 'x[2]/e', 'after'];
  const of = (steps: string[], more: string[] = []): RetryPlan =>
    retried([loop('x', steps), post('after', '{r.x}')], [...ok, ...more], ['x[0]/r']);
  expect(of([get('r'), post('e', '{r.x}')]).renewed).toEqual(['x[0]/e']);
  expect(of([get('r'), post('e', '{r.x}')], ['x[2]/r']).renewed).toEqual(['x[0]/e']);
  const around = '{name: way, route: {on: a, routes: {a: [' + get('r') + ']}}}';
  const inRoute = ['x[0]/e', 'x[1]/way/r', 'x[1]/e', 'after'];
  expect(retried([loop('x', [around, post('e', '{r.x}')])], inRoute, ['x[0]/way/r']).renewed).toEqual(['x[0]/e']);
  // Depends on itself, or on another step.
  expect(of([get('r', '{r.x}'), post('e', '{r.x}')]).renewed).toEqual(['x[0]/e', 'x[1]/e', 'x[2]/e', 'after']);
  expect(of([get('r'), get('sum', '{r.x} {sum.x}'), post('e', '{r.x} {sum.x}')]).renewed).toEqual([
    'x[0]/e',
    'x[1]/e',
    'x[2]/e',
  ]);
});

it('a loop inside of the turn hands on what it had from its own turns', () => {
  const inner = loop('y', [get('a', '{b.x}'), get('b')]);
  const ok = ['x[0]/y[0]/a', 'x[0]/y[1]/a', 'x[0]/y[1]/b', 'x[0]/p'];
  expect(retried([loop('x', [inner, post('p', '{a.x}')])], ok, ['x[0]/y[0]/b']).renewed).toEqual(['x[0]/p']);
});

it.each(['timed_out', 'cancelled', 'rejected'])(
  'what was done behind a gate that is %s is done; what was not keeps its key',
  (status) => {
    const gate = { step_path: 'g', status, on_reject: 'stop', instructions: null, edits: null, decided_by: null };
    const steps = [
      '{name: g, step_type: approval, prompt: "?"}',
      get('draft', '{g.instructions}'),
      post('e', '{g.instructions}'),
      post('via', '{draft.x}'),
      post('f'),
    ];
    const done = retried(steps, ['draft', 'e', 'via'], ['f'], [gate]);
    expect([done.keep, done.renewed]).toEqual([['e', 'via'], []]);
    const open = retried(steps, ['draft', 'via'], ['e'], [gate]);
    expect([open.keep, open.renewed]).toEqual([['via'], []]);
  },
);

describe('an effect that reads what a structure gives', () => {
  const each = (name: string, items: string, steps: string[]): string =>
    `{name: ${name}, for_each: {items: ${items}, as: i, steps: [${steps.join(', ')}]}}`;
  const list = each('x', '[1, 2]', [get('r', '{i}')]);
  const well = ['x[0]/r', 'after', 'y[0]/e', 'y[1]/e'];
  const renewed = (...steps: string[]): string[] => retried([list, ...steps], well, ['x[1]/r']).renewed;

  it.each(['{x.results}', '{x.failed_count}', '{x.errors}', '{x}', '{x.result.results[1].v}', '{x.status}'])(
    'is done again for %s where an item failed',
    (reads) => {
      expect(renewed(post('after', reads))).toEqual(['after']);
      expect(renewed(get('via', reads), post('after', '{via.x}'))).toEqual(['after']);
    },
  );
  it.each(['{x.count}', '{x.results[0].v}'])('stays done for %s, which no failed item has a part in', (reads) => {
    const plan = retried([list, post('after', reads)], well, ['x[1]/r']);
    expect([plan.keep.slice(0, 2), plan.renewed]).toEqual([['x[0]/r', 'after'], []]);
  });
  it('goes through another list element by element, where that is all it reads', () => {
    expect(renewed(each('y', '"{x.results}"', [post('e', '{i.v}')]))).toEqual(['y[1]/e']);
    expect(renewed(each('y', '"{x.results}"', [post('e', '{i.v} {x.failed_count}')]))).toEqual(['y[0]/e', 'y[1]/e']);
    expect(renewed(get('via', '{x.results}'), each('y', '"{via.rows}"', [post('e', '{i.v}')]))).toEqual([
      'y[0]/e',
      'y[1]/e',
    ]);
  });
  it('in branches, turns and routes', () => {
    const of = (structure: string, failed: string, reads: string): string[] =>
      retried([structure, post('after', reads)], ['after'], [failed]).renewed;
    const both = `{name: p, parallel_steps: [${get('r')}, ${get('q')}]}`;
    expect(of(both, 'p/r', '{p.failed_count}')).toEqual(['after']);
    expect(of(both, 'p/r', '{p.count}')).toEqual([]);
    const turns = `{name: l, loop: {until: "{r.v} > {l2.v}", max_iterations: 3, steps: [${get('r')}]}}`;
    expect(of(turns, 'l[0]/r', '{l.iterations}')).toEqual(['after']);
    expect(of(turns, 'l[0]/r', '{l.done}')).toEqual(['after']);
    const before = get('l2').replace('}}', '}, on_error: skip}');
    expect(retried([before, turns, post('after', '{l.done}')], ['l[0]/r', 'after'], ['l2']).renewed).toEqual(['after']);
    const way = `{name: w, route: {on: "a", routes: {a: [${get('r')}]}}}`;
    expect(of(way, 'w/r', '{w.label}')).toEqual([]);
    expect(of(way, 'w/r', '{w.status}')).toEqual(['after']);
  });
  it('what a well item gave is taken over with it, and its gate keeps its yes', () => {
    const gate = '{name: g, step_type: approval, prompt: "Pay?"}';
    const yes = {
      step_path: 'g',
      status: 'approved',
      on_reject: 'stop',
      instructions: null,
      edits: null,
      decided_by: null,
    };
    const of = (reads: string): string[] =>
      Object.keys(retried([list, gate, post('after', reads)], well, ['x[1]/r'], [yes]).presets);
    expect(of('{x.results[0].v}')).toEqual(['g']);
    expect(of('{x.count}')).toEqual(['g']);
    expect(of('{x.results}')).toEqual([]);
    const asks = each('y', '"{x.results}"', ['{name: h, step_type: approval, prompt: "{i.v}?"}', post('e', '{i.v}')]);
    const answers = ['y[0]/h', 'y[1]/h'].map((step_path) => ({ ...yes, step_path }));
    expect(Object.keys(retried([list, asks], well, ['x[1]/r'], answers).presets)).toEqual(['y[0]/h']);
  });
});
