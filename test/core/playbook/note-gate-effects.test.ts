import { describe, expect, it } from '@jest/globals';
import type { EffectLookup } from '../../../core/playbook/effects';
import { planToRun } from '../../../core/playbook/plan-to-run';
import type { ApprovalStep } from '../../../core/playbook/types';
import { allSteps } from '../../../core/playbook/walk';
import { effectsBehindText } from '../../../core/report/effects-behind-text';
import { planOf, withSteps } from './support';

/** Endpoints `put…` have an effect, others read. */
const lookup: EffectLookup = {
  endpointEffect: (_slug, endpoint) => (endpoint.startsWith('put') ? 'idempotent' : 'none'),
};

const call = (name: string, endpoint = 'put', more = ''): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: shop, endpoint: ${endpoint}${more}}`;
const GATE = '{name: g, step_type: approval, prompt: "Go on?"}';
const READ = call('f', 'get');
const POST = call('p', 'put', ', inputs: {note: "{f.count}"}');

function gateOf(steps: readonly string[], tail = '', effectBehind = false): ApprovalStep {
  const text = withSteps(steps.map((step) => `  - ${step}`).join('\n')) + tail;
  const plan = planToRun(planOf(text), text, { lookup, effectBehind });
  const gate = allSteps(plan.steps).find((step) => step.kind === 'approval');
  if (gate?.kind !== 'approval') throw new Error('no gate');
  return gate;
}

const OUTPUT = (source: string): string => `
output:
  format: markdown
  title: T
  sections: [{title: S, source: ${source}}]
  destinations: [{type: document, format: markdown}, {type: document, format: xlsx}, {type: chat, format: markdown}]
`;

describe('what lies behind a gate', () => {
  it.each<[string, string[], object]>([
    ['a step', [READ, GATE, POST], { steps: [{ step: 'p' }] }],
    ['a step behind a query', [READ, GATE, call('q', 'get'), POST], { steps: [{ step: 'p' }] }],
    [
      'a map',
      [READ, GATE, `{name: each, for_each: {items: "{f.rows}", as: row, steps: [${call('p')}]}}`],
      { steps: [{ step: 'p', in_each: true }] },
    ],
    [
      'a parallel',
      [READ, GATE, `{name: both, parallel_steps: [${call('p')}, ${call('r', 'get')}]}`],
      { steps: [{ step: 'p' }] },
    ],
    [
      'a loop',
      [READ, GATE, `{name: again, loop: {until: "{p.ok}", max_iterations: 2, steps: [${call('p')}]}}`],
      { steps: [{ step: 'p' }] },
    ],
    [
      'a route',
      [READ, GATE, `{name: way, route: {on: "{f.kind}", routes: {a: [${call('p')}], b: [${call('r', 'get')}]}}}`],
      { steps: [{ step: 'p' }] },
    ],
    ['a sub-playbook', [GATE, '{name: sub, action: run_playbook, playbook: other}'], { steps: [{ step: 'sub' }] }],
    [
      'a step that depends on it',
      [
        READ,
        '{name: g, step_type: approval, prompt: "Go on?", depends_on: [f]}',
        call('p', 'put', ', depends_on: [g]'),
        call('beside', 'put', ', depends_on: [f]'),
      ],
      { steps: [{ step: 'p' }] },
    ],
    [
      'a step of the same map',
      [READ, `{name: each, for_each: {items: "{f.rows}", as: row, steps: [${GATE}, ${call('p')}]}}`],
      { steps: [{ step: 'p' }] },
    ],
    ['nothing', [READ, GATE, call('q', 'get')], { steps: [] }],
    ['an effect before it alone', [call('p'), GATE], { steps: [] }],
  ])('%s', (_what, steps, behind) => {
    expect(gateOf(steps).effects_behind).toEqual(behind);
  });

  const mapOver = (items: string, inner: string[], more = ''): string =>
    `{name: each, for_each: {items: ${items}, as: row${more}, steps: [${inner.join(', ')}]}}`;
  const PRE = call('pre');
  const AGAIN = { steps: [{ step: 'pre', in_each: true }] };
  it.each<[string, string, object, string]>([
    ['the elements that begin later', mapOver('"{f.rows}"', [PRE, GATE]), AGAIN, 'stop'],
    ['also one at a time', mapOver('"{f.rows}"', [PRE, GATE], ', max_parallel: 1'), AGAIN, 'stop'],
    ['in a list that is longer than its room', mapOver('[1, 2, 3]', [PRE, GATE], ', max_parallel: 2'), AGAIN, 'stop'],
    ['not where all begin at once', mapOver('[1, 2, 3]', [PRE, GATE], ', max_parallel: 3'), { steps: [] }, 'skip'],
    [
      'of the outer list',
      mapOver('"{f.rows}"', [PRE, `{name: in, for_each: {items: [1], as: x, steps: [${GATE}]}}`]),
      AGAIN,
      'stop',
    ],
    ['from inside a parallel', mapOver('"{f.rows}"', [PRE, `{name: both, parallel_steps: [${GATE}]}`]), AGAIN, 'stop'],
    [
      'what follows it in its own element is not of each',
      mapOver('"{f.rows}"', [PRE, GATE, call('p')]),
      { steps: [{ step: 'pre', in_each: true }, { step: 'p' }] },
      'stop',
    ],
    [
      'of a loop',
      `{name: again, loop: {until: "{f.ok}", max_iterations: 2, steps: [${PRE}, ${GATE}]}}`,
      { steps: [{ step: 'pre' }] },
      'stop',
    ],
    [
      'not of a loop of one turn',
      `{name: once, loop: {until: "{f.ok}", max_iterations: 1, steps: [${PRE}, ${GATE}]}}`,
      { steps: [] },
      'skip',
    ],
  ])('%s', (_what, structure, behind, onTimeout) => {
    const gate = gateOf([READ, structure]);
    expect([gate.effects_behind, gate.on_timeout]).toEqual([behind, onTimeout]);
  });

  it('a sub-playbook of each element is told that others begin behind it', () => {
    const call = '{name: sub, action: run_playbook, playbook: other}';
    const told = (items: string): unknown => {
      const text = withSteps(`  - ${READ}\n  - ${mapOver(items, [call])}`);
      const sub = allSteps(planToRun(planOf(text), text, { lookup }).steps).find(({ name }) => name === 'sub');
      return sub?.kind === 'run_playbook' && sub.effect_behind;
    };
    expect([told('"{f.rows}"'), told('[1, 2]')]).toEqual([true, false]);
  });

  it('destinations of the output, each with its name, and what a caller goes on with', () => {
    expect(gateOf([READ, GATE], OUTPUT('f.rows')).effects_behind).toEqual({
      steps: [],
      destinations: ['document'],
      targets: [
        { type: 'document', format: 'markdown' },
        { type: 'document', format: 'xlsx' },
      ],
    });
    const written = [
      '{type: file_export, format: csv, config: {filename_template: "a-{date}"}}',
      '{type: file_export, config: {filename: b}}',
      '{type: data_workspace_table, config: {table_name: a1}}',
      '{type: data_workspace_table, config: {table_name: a2}}',
      '{type: append_to_existing, config: {document: Journal}}',
      '{type: folder, config: {folder: Reports}}',
    ];
    const output = `\noutput:\n  title: T\n  sections: [{title: S, source: f.rows}]\n  destinations: [${written.join(', ')}]\n`;
    expect(effectsBehindText(gateOf([READ, GATE], output).effects_behind, undefined)).toBe(
      'An approval permits these effects: the file "a-{date}" (csv), the file "b" (markdown), the workspace table "a1", the workspace ' +
        'table "a2", an addition to the document "Journal", a document in the folder "Reports" (markdown).',
    );
    expect(gateOf([READ, GATE], '', true).effects_behind).toEqual({ steps: [], caller: true });
  });

  it('names twenty steps and counts the others', () => {
    const many = Array.from({ length: 23 }, (_, no) => call(`p${no}`));
    const { steps = [], more } = gateOf([GATE, ...many]).effects_behind ?? {};
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, no) => `p${no}`));
    expect(more).toBe(3);
  });

  it('is not in the plan of a saved version', () => {
    const [, gate] = planOf(withSteps(`  - ${READ}\n  - ${GATE}\n  - ${POST}`)).steps;
    expect(gate).not.toHaveProperty('effects_behind');
    expect(gate).not.toHaveProperty('reads_behind');
  });
});

describe('what each decision lets go', () => {
  const gate = (more = ''): string => `{name: g, step_type: approval, prompt: "Go on?", on_reject: skip${more}}`;
  const when = (name: string, condition: string): string => call(name, 'put', `, condition: "${condition}"`);
  const NO = when('no', "{g.decision} == 'rejected'");
  const YES = when('yes', "{g.result.decision} == 'approved' and {f.count} > 0");
  const steps = (...names: string[]): object => ({ steps: names.map((step) => ({ step })) });

  it('names what conditions over its decision leave, and what goes without a yes', () => {
    const late = ', timeout_minutes: 1, on_timeout: skip';
    const behind = gateOf([READ, gate(late), NO, YES, call('both')]).effects_behind;
    expect(behind).toEqual({ ...steps('yes', 'both'), on_reject: steps('no', 'both'), on_timeout: steps('both') });
  });

  it('says nothing of a no or a silence that ends the run', () => {
    const behind = gateOf([
      READ,
      gate(', on_reject: stop, timeout_minutes: 1').replace('on_reject: skip, ', ''),
      NO,
      YES,
    ]);
    expect(behind.effects_behind).toEqual(steps('yes'));
  });

  it('follows the branches of a route, and conditions on structures', () => {
    const branch = '{name: way, route: {on: "{g.decision}", default: other, routes: ';
    const route = `${branch}{approved: [${call('a')}], rejected: [${call('r')}], other: [${call('o')}]}}}`;
    const map = `{name: each, condition: "not ({g.decision} == 'rejected')", for_each: {items: "{f.rows}", as: row, steps: [${call('m')}]}}`;
    expect(gateOf([READ, gate(', timeout_minutes: 1, on_timeout: skip'), route, map]).effects_behind).toEqual({
      steps: [{ step: 'a' }, { step: 'm', in_each: true }],
      on_reject: steps('r'),
      on_timeout: { steps: [{ step: 'o' }, { step: 'm', in_each: true }] },
    });
  });

  it('of other elements it knows no decision', () => {
    const map = `{name: each, for_each: {items: "{f.rows}", as: row, steps: [${when('pre', "{g.decision} == 'rejected'")}, ${gate()}, ${YES}]}}`;
    expect(gateOf([READ, map]).effects_behind).toEqual({
      steps: [{ step: 'pre', in_each: true }, { step: 'yes' }],
      on_reject: { steps: [{ step: 'pre', in_each: true }] },
    });
  });

  it('destinations have conditions, too', () => {
    const output = (decision: string): string =>
      OUTPUT('f.rows').replace(
        '{type: document, format: markdown}',
        `{type: file_export, format: csv, condition: "{g.decision} == '${decision}'"}`,
      );
    const file = { type: 'file_export', format: 'csv' };
    const xlsx = { type: 'document', format: 'xlsx' };
    const both = { steps: [], destinations: ['file_export', 'document'], targets: [file, xlsx] };
    const one = { steps: [], destinations: ['document'], targets: [xlsx] };
    expect(gateOf([READ, gate()], output('approved')).effects_behind).toEqual({ ...both, on_reject: one });
    expect(gateOf([READ, gate()], output('rejected')).effects_behind).toEqual({ ...one, on_reject: both });
  });

  it('a caller that goes on after a no is said, also where this run ends', () => {
    const of = (onReject: string, callers: object): unknown => {
      const text = withSteps(`  - ${gate().replace('skip', onReject)}`);
      const [step] = planToRun(planOf(text), text, { lookup, ...callers }).steps;
      return step?.kind === 'approval' && step.effects_behind;
    };
    const caller = { steps: [], caller: true };
    expect(of('stop', { effectBehind: true })).toEqual(caller);
    expect(of('stop', { effectBehind: true, effectAfterStop: true })).toEqual({ ...caller, on_reject: caller });
    expect(of('skip', { effectBehind: true })).toEqual({ ...caller, on_reject: caller });
  });
});

describe('what the effects behind a gate read of before it', () => {
  const map = (as: string, note: string): string =>
    `{name: each, for_each: {items: "{f.rows}", as: ${as}, steps: [${call('p', 'put', `, inputs: {note: "${note}"}`)}]}}`;
  const through =
    '{name: t, step_type: tool, action: call_connector, connector: shop, endpoint: get, inputs: {n: "{f.count}"}}';
  it.each<[string, string[], string[] | undefined]>([
    ['directly, behind a query', [READ, GATE, call('q', 'get'), POST], ['f']],
    ['in a map, with what it is over', [READ, GATE, map('row', '{row.x} {f.count}')], ['f']],
    ['through a step behind the gate', [READ, GATE, through, call('p', 'put', ', inputs: {n: "{t.x}"}')], ['f']],
    [
      'not what a step before the gate has read',
      [READ, through, GATE, call('p', 'put', ', inputs: {n: "{t.x}"}')],
      ['t'],
    ],
    ['nothing where only a step that reads has it', [READ, GATE, through, call('p')], undefined],
    [
      'the condition of the gate itself',
      [READ, GATE.replace('step_type', 'condition: "{f.count} > 1", step_type'), call('p')],
      ['f'],
    ],
    [
      'what chose the branch of what it reads',
      [
        READ,
        `{name: way, route: {on: "{f.kind}", default: b, routes: {b: [${call('q', 'get')}]}}}`,
        GATE,
        call('p', 'put', ', inputs: {n: "{q.x}"}'),
      ],
      ['q', 'f'],
    ],
    [
      'the same through a step between',
      [
        READ,
        `{name: way, route: {on: "{f.kind}", default: b, routes: {b: [${call('q', 'get')}]}}}`,
        call('t', 'get', ', inputs: {n: "{q.x}"}'),
        GATE,
        call('p', 'put', ', inputs: {n: "{t.x}"}'),
      ],
      ['t', 'f'],
    ],
    [
      'what chose the branch that it lies in',
      [READ, `{name: way, route: {on: "{f.kind}", routes: {b: [${GATE}, ${call('p')}]}}}`],
      ['f'],
    ],
    [
      'the condition of a structure around it',
      [
        READ,
        `{name: way, condition: "{f.ok}", parallel_steps: [{name: seq, loop: {until: "1 == 1", max_iterations: 2, steps: [${GATE}, ${call('p')}]}}]}`,
      ],
      ['f'],
    ],
    ['not the answer of the gate', [READ, GATE, call('p', 'put', ', inputs: {n: "{g.instructions}"}')], undefined],
  ])('%s', (_what, steps, reads) => {
    expect(gateOf(steps).reads_behind).toEqual(reads);
  });

  it('what the output reads that is written somewhere', () => {
    expect(gateOf([READ, GATE], OUTPUT('f.rows')).reads_behind).toEqual(['f']);
  });

  it('the element of the map around the gate, and not one of the same name behind it', () => {
    const inner = call('p', 'put', ', inputs: {n: "{row.x}"}');
    const around = `{name: each, for_each: {items: "{f.rows}", as: row, steps: [${GATE}, ${inner}]}}`;
    expect(gateOf([READ, around]).reads_behind).toEqual(['row']);
  });
});

describe('a failure that written results rest on', () => {
  const first = (steps: string[], tail: string): unknown => {
    const text = withSteps(steps.map((step) => `  - ${step}`).join('\n')) + tail;
    const { on_error, stops_for } = planToRun(planOf(text), text, { lookup }).steps[0] ?? {};
    return [on_error, stops_for];
  };
  it('stops the run where a gate lies between', () => {
    expect(first([READ, GATE], OUTPUT('f.rows'))).toEqual(['stop', 'output']);
  });
  it('does not without a gate, behind the gate, where the author says otherwise, or where nothing is written', () => {
    expect(first([READ], OUTPUT('f.rows'))).toEqual(['skip', undefined]);
    expect(first([call('f', 'get', ', on_error: skip'), GATE], OUTPUT('f.rows'))).toEqual(['skip', undefined]);
    expect(first([READ, GATE], '')).toEqual(['skip', undefined]);
    const after = withSteps(`  - ${GATE}\n  - ${READ}`) + OUTPUT('f.rows');
    expect(planToRun(planOf(after), after, { lookup }).steps[1]).toMatchObject({ on_error: 'skip' });
  });
});
