import { describe, expect, it } from '@jest/globals';
import type { EffectLookup } from '../../../core/playbook/effects';
import { planRetry, type GateOutcome, type RetryFacts } from '../../../core/playbook/retry-plan';
import { planOf, withSteps } from './support';

/** Endpoints `put` have an effect, others read. */
const lookup: EffectLookup = { endpointEffect: (_slug, endpoint) => (endpoint === 'put' ? 'keyed' : 'none') };

const call = (name: string, reads = '', endpoint = 'put'): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: shop, endpoint: ${endpoint}, inputs: {note: "${reads}"}}`;
const get = (name: string, reads = ''): string => call(name, reads, 'get');
const ask = (name = 'g', more = ''): string => `{name: ${name}, step_type: approval, prompt: "Go on?"${more}}`;
const OTHERS = ', approvers: {users: [barbara]}, four_eyes: true';
const each = (items: string, steps: string[], more = ''): string =>
  `{name: each, for_each: {items: "${items}", as: row${more}, steps: [${steps.join(', ')}]}}`;

interface Closed extends Partial<Omit<RetryFacts, 'plan' | 'outcomes' | 'gates'>> {
  ok?: string[];
  failed?: string[];
  asked?: string[];
  status?: string;
  tail?: string;
}

const answer = (step_path: string, status: string): GateOutcome => ({
  step_path,
  status,
  on_reject: 'skip',
  instructions: null,
  edits: null,
  decided_by: 'barbara',
});

/** Gates whose answers hold in the retry of a closed run. */
function holding(
  steps: string[],
  { ok = [], failed = [], asked = ['g'], status = 'approved', tail = '', ...more }: Closed,
) {
  const plan = planOf(withSteps(steps.map((step) => `  - ${step}`).join('\n')) + tail);
  const outcomes = [
    ...ok.map((step_path) => ({ step_path, ok: true })),
    ...failed.map((step_path) => ({ step_path, ok: false })),
  ];
  return Object.keys(
    planRetry({ plan, outcomes, gates: asked.map((path) => answer(path, status)), lookup, ...more }).presets,
  );
}

describe('a gate asks again in a retry', () => {
  const TWO = [ask(), call('first'), call('second')];
  it.each<[string, string[], Closed, boolean]>([
    ['not where what failed leaves again as it was approved', TWO, { ok: ['first'], failed: ['second'] }, false],
    ['not where nothing has left', TWO, { ok: [] }, false],
    [
      'where a later effect gets other inputs',
      TWO,
      { ok: ['first'], failed: ['second'], fromStep: 'second', inputOverride: { note: 'x' } },
      true,
    ],
    [
      'where an effect that was never tried gets other inputs',
      [ask(), call('first'), call('bad'), call('pay')],
      { ok: ['first'], failed: ['bad'], fromStep: 'pay', inputOverride: { note: 'x' } },
      true,
    ],
    [
      'where an effect behind one that was cut off gets other inputs',
      [ask(), call('first'), get('slow'), call('pay')],
      { ok: ['first'], fromStep: 'pay', inputOverride: { note: 'x' } },
      true,
    ],
    [
      'where a sub-playbook that was never called gets other inputs',
      [ask(), call('first'), call('bad'), '{name: sub, action: run_playbook, playbook: child}'],
      { ok: ['first'], failed: ['bad'], fromStep: 'sub', inputOverride: { n: 2 } },
      true,
    ],
    ['where a later effect is done again', TWO, { ok: ['first', 'second'], fromStep: 'second' }, true],
    [
      'where it is done again with other inputs',
      TWO,
      { ok: ['first', 'second'], fromStep: 'second', inputOverride: { note: 'x' } },
      true,
    ],
    [
      'not where nothing is done again',
      [...TWO, get('last')],
      { ok: ['first', 'second', 'last'], fromStep: 'last' },
      false,
    ],
    ['behind a read', [ask(), get('q'), call('p')], { ok: ['q', 'p'], fromStep: 'p' }, true],
    [
      'behind a read that is read again',
      [ask(), get('q'), call('p', '{q.x}')],
      { ok: ['q', 'p'], fromStep: 'q' },
      true,
    ],
    [
      'where a read that feeds it was edited',
      [ask(), get('q'), call('p', '{q.x}')],
      { failed: ['q'], fromStep: 'q', inputOverride: { a: 1 } },
      true,
    ],
    [
      'not where a read behind the gate failed, and nothing was sent',
      [ask(), get('q'), call('p', '{q.x}')],
      { failed: ['q'] },
      false,
    ],
    [
      'where what was tried gets what a read gives that failed',
      [ask(), get('q'), call('p', '{q.x}')],
      { failed: ['q', 'p'] },
      true,
    ],
    [
      'where a read before the gate failed that a later effect rests on',
      [get('f'), ask(), get('q'), call('p', '{f.x}')],
      { ok: ['q'], failed: ['f'] },
      true,
    ],
    [
      'not where what failed before the gate feeds nothing behind',
      [get('f'), ask(), get('q'), call('p')],
      { ok: ['q'], failed: ['f', 'p'], fromStep: 'p' },
      false,
    ],
    [
      'behind a sub-playbook',
      [ask(), '{name: sub, action: run_playbook, playbook: other}', call('p')],
      { ok: ['sub', 'p'], fromStep: 'p' },
      true,
    ],
    [
      'where a sub-playbook is begun again',
      [ask(), get('q'), '{name: sub, action: run_playbook, playbook: other}'],
      { ok: ['q', 'sub'], fromStep: 'sub' },
      true,
    ],
    [
      'in a list',
      [ask(), get('q'), each('{q.rows}', [call('p')])],
      { ok: ['q', 'each[0]/p', 'each[1]/p'], fromStep: 'each[1]' },
      true,
    ],
    [
      'not where one of a list failed',
      [ask(), get('q'), each('{q.rows}', [call('p')])],
      { ok: ['q', 'each[0]/p'], failed: ['each[1]/p'] },
      false,
    ],
    [
      'in a branch',
      [ask(), get('q'), `{name: way, route: {on: a, routes: {a: [${call('p')}]}}}`],
      { ok: ['q', 'way/p'], fromStep: 'way' },
      true,
    ],
    [
      'not for what its no has left out',
      [
        ask('g', ', on_reject: skip'),
        call('p').replace('step_type', `condition: "{g.decision} == 'approved'", step_type`),
        call('z'),
      ],
      { ok: ['z'], status: 'rejected', failed: ['p'] },
      false,
    ],
    [
      'for what left after its no',
      [
        ask('g', ', on_reject: skip'),
        call('p').replace('step_type', `condition: "{g.decision} == 'rejected'", step_type`),
      ],
      { ok: ['p'], status: 'rejected', fromStep: 'p' },
      true,
    ],
    [
      'not for what a yes leaves out',
      [
        ask('g', ', on_reject: skip'),
        get('q'),
        call('p').replace('step_type', `condition: "{g.decision} == 'rejected'", step_type`),
        call('z'),
      ],
      { ok: ['q', 'z'], failed: ['p'], fromStep: 'p', inputOverride: { note: 'x' } },
      false,
    ],
  ])('%s', (_what, steps, closed, again) => {
    expect(holding(steps, closed)).toEqual(again ? [] : ['g']);
  });

  it('every gate of which it was approved, and no other', () => {
    const steps = [ask('a'), call('p'), ask('b'), get('q'), call('r'), ask('c'), call('z')];
    const asked = ['a', 'b', 'c'];
    expect(holding(steps, { ok: ['p', 'q', 'r'], failed: ['z'], asked })).toEqual(['a', 'b', 'c']);
    expect(
      holding(steps, { ok: ['p', 'q', 'r'], failed: ['z'], asked, fromStep: 'z', inputOverride: { note: 'x' } }),
    ).toEqual([]);
    expect(holding([call('p'), ask('b'), get('q')], { ok: ['p', 'q'], asked: ['b'], fromStep: 'q' })).toEqual(['b']);
  });

  it('others as the owner, also for a later effect', () => {
    const steps = [ask('g', OTHERS), call('first'), call('second')];
    expect(holding(steps, { ok: ['first'], failed: ['second'] })).toEqual(['g']);
    const edited = { fromStep: 'second', inputOverride: { note: 'pay rosalind' } };
    expect(holding(steps, { ok: ['first'], failed: ['second'], ...edited })).toEqual([]);
    expect(holding(steps, { ok: ['first', 'second'], fromStep: 'second' })).toEqual([]);
    expect(holding(steps, { ok: ['first', 'second'], ...edited })).toEqual([]);
  });

  it('where a retry was given inputs that the next one does not have', () => {
    const steps = [ask(), call('first'), call('second')];
    const overridden = { second: { note: 'edited' } };
    expect(holding(steps, { ok: ['first'], failed: ['second'], overridden })).toEqual([]);
    expect(holding(steps, { ok: ['first', 'second'], overridden })).toEqual(['g']);
  });

  it('for elements that had to wait for it, and for its own', () => {
    const steps = (room: number): string[] => [
      each('{rows}', [call('pre'), ask(), call('p')], `, max_parallel: ${room}`),
    ];
    const all = [0, 1, 2];
    const ok = all.flatMap((at) => [`each[${at}]/pre`, `each[${at}]/p`]);
    const asked = all.map((at) => `each[${at}]/g`);
    expect(holding(steps(10), { ok, asked, fromStep: 'each[1]' })).toEqual(['each[0]/g', 'each[2]/g']);
    expect(holding(steps(1), { ok, asked, fromStep: 'each[1]' })).toEqual(['each[2]/g']);
    const one = ok.filter((path) => path !== 'each[1]/p');
    expect(holding(steps(1), { ok: one, failed: ['each[1]/p'], asked })).toEqual(asked);
  });

  describe('in the structure that the retry goes on in, as outside of one', () => {
    const route = (steps: string[]): string => `{name: way, route: {on: a, routes: {a: [${steps.join(', ')}]}}}`;
    const loop = (steps: string[]): string =>
      `{name: again, loop: {until: "{p.x}", max_iterations: 3, steps: [${steps.join(', ')}]}}`;
    const branches = (steps: string[]): string =>
      `{name: par, action: parallel, parallel_steps: [${route(steps)}, ${get('r')}]}`;
    const asking = (prompt: string): string => `{name: g, step_type: approval, prompt: "${prompt}"}`;
    const body = [get('q'), ask(), get('m'), call('p', '{q.x}')];
    const needing = (step: string, needs = ''): string => step.replace(/}$/, `, depends_on: [${needs}]}`);
    it.each<[string, string[], Closed, string[]]>([
      ['a route', [route(body)], { ok: ['way/q'], failed: ['way/m'], asked: ['way/g'] }, ['way/g']],
      [
        'a route that is named',
        [route(body)],
        { ok: ['way/q'], failed: ['way/m'], asked: ['way/g'], fromStep: 'way' },
        ['way/g'],
      ],
      [
        'a turn',
        [loop(body)],
        {
          ok: ['again[0]/q', 'again[0]/m', 'again[0]/p', 'again[1]/q'],
          failed: ['again[1]/m'],
          asked: ['again[0]/g', 'again[1]/g'],
        },
        ['again[0]/g', 'again[1]/g'],
      ],
      [
        'an element',
        [each('{rows}', body)],
        { ok: ['each[0]/q', 'each[1]/q'], failed: ['each[0]/m', 'each[1]/m'], asked: ['each[0]/g', 'each[1]/g'] },
        ['each[0]/g', 'each[1]/g'],
      ],
      [
        'an element that is named, and another that was well',
        [each('{rows}', body)],
        {
          ok: ['each[0]/q', 'each[0]/m', 'each[0]/p', 'each[1]/q'],
          failed: ['each[1]/m'],
          asked: ['each[0]/g', 'each[1]/g'],
          fromStep: 'each[1]',
        },
        ['each[0]/g', 'each[1]/g'],
      ],
      [
        'a branch beside the one that failed',
        [branches([ask(), get('m'), call('p')])],
        { ok: ['par/way/m', 'par/way/p'], failed: ['par/r'], asked: ['par/way/g'] },
        ['par/way/g'],
      ],
      ['not behind what failed', [route(body)], { failed: ['way/q', 'way/m'], asked: ['way/g'] }, []],
      [
        'not in a turn behind one in which something failed',
        [loop([ask(), get('m'), call('p'), get('n')])],
        {
          ok: ['again[0]/m', 'again[0]/p'],
          failed: ['again[0]/n', 'again[1]/m'],
          asked: ['again[0]/g', 'again[1]/g'],
        },
        ['again[0]/g'],
      ],
      [
        'not where its question is read again',
        [route([get('q'), asking('{q.x}'), get('m'), call('p')])],
        { ok: ['way/q'], failed: ['way/m'], asked: ['way/g'] },
        [],
      ],
      [
        'not where an effect rests on what failed beside the gate',
        [loop([needing(get('b')), needing(ask()), needing(call('p', '{b.x}'), 'b, g')])],
        { failed: ['again[0]/b'], asked: ['again[0]/g'] },
        [],
      ],
      [
        'not where something is behind all branches that rests on one that failed',
        [branches([ask(), get('m')]), call('z', '{r.x}')],
        { ok: ['par/way/m'], failed: ['par/r'], asked: ['par/way/g'] },
        [],
      ],
      [
        'not where others than the owner are asked, and what comes next is not done',
        [route([ask('g', OTHERS), get('m'), call('p')])],
        { failed: ['way/m'], asked: ['way/g'] },
        [],
      ],
    ])('%s', (_what, steps, closed, holds) => {
      expect(holding(steps, closed)).toEqual(holds);
    });

    it('a loop behind which what is open reads its last turn asks: it may end with another one', () => {
      const steps = [
        `{name: again, loop: {until: "{r.x}", max_iterations: 3, steps: [${get('r')}]}}`,
        ask(),
        call('p', '{r.x}'),
      ];
      const closed = { ok: ['again[1]/r'], failed: ['again[0]/r', 'p'], fromStep: 'p' };
      expect(holding(steps, closed)).toEqual([]);
      expect(holding(steps, { ok: ['again[1]/r', 'p'], failed: ['again[0]/r'] })).toEqual(['g']);
    });

    it('a loop whose effect reads the answer of the turn before: only the gate that had none asks', () => {
      const steps = [loop([call('p', '{g.instructions}'), ask()])];
      expect(holding(steps, { ok: ['again[0]/p', 'again[1]/p'], asked: ['again[0]/g'] })).toEqual(['again[0]/g']);
    });

    it('a later turn rests on what failed before the gate of the one before, unless there is none', () => {
      const turns = (max: number): string[] => [
        `{name: again, loop: {until: "{p.x}", max_iterations: ${max}, steps: [${call('p', '{c.x}')}, ${get('c')}, ${ask()}, ${call('z')}]}}`,
      ];
      const closed = { ok: ['again[0]/p', 'again[0]/z'], failed: ['again[0]/c'], asked: ['again[0]/g'] };
      expect(holding(turns(2), closed)).toEqual([]);
      expect(holding(turns(1), closed)).toEqual(['again[0]/g']);
    });
  });

  it('in a loop in the turn, or by the last gate before it', () => {
    const steps = [
      `{name: again, loop: {until: "{p.x}", max_iterations: 3, steps: [${get('q')}, ${ask()}, ${call('p', '{q.x}')}]}}`,
    ];
    const ok = ['again[0]/q', 'again[0]/p', 'again[1]/p'];
    const asked = ['again[0]/g', 'again[1]/g'];
    expect(holding(steps, { ok, failed: ['again[1]/q'], asked })).toEqual(['again[0]/g']);
    const body = [get('q'), call('p', '{q.x}'), ask(), call('z')].join(', ');
    const before = [`{name: again, loop: {until: "{p.x}", max_iterations: 3, steps: [${body}]}}`];
    const done = [0, 1, 2].flatMap((turn) => ['q', 'p', 'z'].map((name) => `again[${turn}]/${name}`));
    const bad = ['again[2]/q'];
    const turns = ['again[0]/g', 'again[1]/g', 'again[2]/g'];
    const rest = done.filter((path) => !bad.includes(path));
    expect(holding(before, { ok: rest, failed: bad, asked: turns })).toEqual(['again[0]/g', 'again[2]/g']);
  });

  it('before a sub-playbook in which something is repeated', () => {
    const steps = [ask(), get('q'), '{name: sub, action: run_playbook, playbook: other}'];
    const closed = { ok: ['q'], failed: ['sub'] };
    expect(holding(steps, closed)).toEqual(['g']);
    expect(holding(steps, { ...closed, repeating: new Set(['sub']) })).toEqual([]);
  });

  it('in a sub-playbook where what lies behind its call is repeated, in the caller or further up', () => {
    const steps = ['{name: sub, action: run_playbook, playbook: other}', get('q'), call('p')];
    const closed = { ok: ['sub', 'q'], asked: [], asking: new Set(['sub']) };
    expect(holding(steps, { ...closed, failed: ['p'] })).toEqual([]);
    expect(holding(steps, { ...closed, ok: ['sub', 'q', 'p'], fromStep: 'p' })).toEqual(['sub']);
    expect(holding(steps, { ...closed, failed: ['p'], callerRepeats: true })).toEqual(['sub']);
    expect(holding([ask(), get('q')], { ok: ['q'], callerRepeats: true })).toEqual([]);
  });

  const OUTPUT = (source: string): string => `
output:
  format: markdown
  title: T
  sections: [{title: S, source: ${source}}]
  destinations: [{type: document, format: markdown}]
`;
  it('where results that left are written again, or others than those of before it', () => {
    const steps = [get('f'), ask(), get('q')];
    const tail = OUTPUT('f.rows');
    expect(holding(steps, { ok: ['f', 'q', '$output'], tail, fromStep: 'q' })).toEqual([]);
    expect(holding(steps, { ok: ['f'], failed: ['q'], tail })).toEqual(['g']);
    expect(holding(steps, { ok: ['q'], failed: ['f'], tail })).toEqual([]);
    expect(holding(steps, { ok: ['f', 'q'], failed: ['$output'], tail })).toEqual(['g']);
    expect(holding(steps, { ok: ['f', 'q'], failed: ['$output'], tail, fromStep: 'f' })).toEqual([]);
  });
});
