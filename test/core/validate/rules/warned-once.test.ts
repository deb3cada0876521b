import { describe, expect, it } from '@jest/globals';
import type { PlaybookEntry } from '../../../../core/validate/catalogue';
import { validatePlaybook } from '../../../../core/validate/validate-playbook';
import { CATALOGUE, COMPANY, playbook, PULL, SAVE, validate } from '../harness';

const ask = (name: string, more = ''): string => `{name: ${name}, step_type: approval${more}}`;
const save = (name: string, more = ''): string => `{name: ${name}, ${SAVE}, inputs: {data: []}${more}}`;
const of = (text: string, code: string): string[] =>
  validate(text).flatMap((problem) =>
    problem.code === code ? [`${problem.step ?? ''} ${problem.field ?? ''}`.trim()] : [],
  );

describe('a gate of a playbook that this one runs, which can be passed without an approval', () => {
  const entry = (more: Partial<PlaybookEntry>): PlaybookEntry => ({ inputs: [], calls: [], ...more });
  const entries: Record<string, PlaybookEntry> = {
    open: entry({ open_gates: ['lax', 'other'] }),
    closed: entry({ open_gates: [] }),
    outer: entry({ calls: ['closed', 'open'] }),
    round: entry({ calls: ['round', 'closed'] }),
    old: { inputs: [], calls: [] },
  };
  const warned = (steps: string): string[] =>
    validatePlaybook(playbook(steps), { ...CATALOGUE, playbook: (slug) => entries[slug] }).problems.flatMap(
      ({ code, step, message }) =>
        code === 'gate_in_sub_playbook'
          ? [`${step ?? ''}: ${/`[\w.]+`/.exec(message)?.[0] ?? ''} ${/`(\w+)`, which/.exec(message)?.[1] ?? ''}`]
          : [],
    );
  const run = (slug: string): string => `  - {name: s, action: run_playbook, playbook: ${slug}}\n`;
  const effect = `  - ${save('keep')}\n`;
  const read = '  - {name: q, step_type: tool, action: query_journal}\n';

  const results = (type: string): string =>
    `${run('open')}${read}output: {destinations: [{type: ${type}, config: {filename: a.md}}]}\n`;

  it.each<[string, string, string[]]>([
    ['before results that leave', results('file_export'), ['s: `open.lax` ']],
    ['before results that a chat shows', results('chat'), []],
    ['before an effect', run('open') + read + effect, ['s: `open.lax` keep']],
    ['deeper down', run('outer') + effect, ['s: `open.lax` keep']],
    ['before nothing with an effect', run('open') + read, []],
    ['behind the effect', effect + run('open'), []],
    ['of a playbook whose gates hold', run('closed') + effect, []],
    ['of a playbook of which nothing is known of gates', run('old') + effect, []],
    ['of playbooks that run each other', run('round') + effect, []],
    [
      'before an effect inside a structure',
      `${run('open')}  - {name: p, action: parallel, parallel_steps: [${save('keep')}]}\n`,
      ['s: `open.lax` keep'],
    ],
    [
      'before another playbook, which may do anything',
      `${run('open')}  - {name: t, action: run_playbook, playbook: closed}\n`,
      ['s: `open.lax` t'],
    ],
    [
      'at the same time as the effect',
      `  - {name: p, action: parallel, parallel_steps: [{name: s, action: run_playbook, playbook: open}, ${save('keep')}]}\n`,
      [],
    ],
    [
      'in a loop, where the effect comes again',
      `  - {name: l, loop: {until: "true", max_iterations: 2, steps: [${save('keep')}, {name: s, action: run_playbook, playbook: open}]}}\n`,
      ['s: `open.lax` keep'],
    ],
    [
      'in a list, where other elements begin later',
      `  - {name: l, for_each: {items: "{xs}", as: x, steps: [${save('keep')}, {name: s, action: run_playbook, playbook: open}]}}\n`,
      ['s: `open.lax` keep'],
    ],
    [
      'alone in a list, where it comes again itself',
      '  - {name: l, for_each: {items: "{xs}", as: x, steps: [{name: s, action: run_playbook, playbook: open}]}}\n',
      ['s: `open.lax` s'],
    ],
    [
      'in a list of which all elements begin at once',
      `  - {name: l, for_each: {items: [1, 2], as: x, steps: [${save('keep')}, {name: s, action: run_playbook, playbook: open}]}}\n`,
      [],
    ],
  ])('is told of %s', (_what, steps, expected) => {
    expect(warned(steps)).toEqual(expected);
  });
});

describe('an effect behind a gate that can be passed', () => {
  const lax = ask('gate', ', on_reject: skip');
  const warned = (steps: string): string[] => of(playbook(steps), 'effect_after_skippable_gate');
  it.each<[string, string, string[]]>([
    [
      'is told for each step',
      `  - ${lax}\n  - ${save('one')}\n  - ${save('two')}\n`,
      ['one condition', 'two condition'],
    ],
    [
      'is told once for two gates',
      `  - ${lax}\n  - ${ask('late', ', on_reject: skip')}\n  - ${save('one')}\n`,
      ['one condition'],
    ],
    [
      'is not told of a step that only reads',
      `  - ${lax}\n  - {name: q, step_type: tool, action: query_journal}\n`,
      [],
    ],
    [
      'is told where other elements begin with it, at the step',
      `  - {name: l, for_each: {items: "{xs}", as: x, steps: [${save('one')}, ${lax}]}}\n`,
      ['one'],
    ],
    [
      'is told of what follows the list, whatever gate other elements have',
      `  - {name: l, for_each: {items: "{xs}", as: x, steps: [${ask('strict')}, ${lax}]}}\n  - ${save('two')}\n`,
      ['two condition'],
    ],
    ['is not told of a step before it', `  - ${save('one')}\n  - ${lax}\n`, []],
    [
      'is not told where a route asks for the decision',
      `  - ${lax}\n  - {name: r, route: {on: "{gate.decision}", routes: {yes: [${save('one')}]}}}\n`,
      [],
    ],
    [
      'is told where a route asks for something else',
      `  - ${lax}\n  - {name: r, route: {on: "{gate.instructions}", routes: {yes: [${save('one')}]}}}\n`,
      ['one condition'],
    ],
    [
      'is told in a DAG of what depends on the gate alone',
      `  - ${lax}\n  - ${save('one', ', depends_on: [gate]')}\n  - ${save('two')}\n`,
      ['one condition'],
    ],
    ['is not told behind a strict gate', `  - ${lax}\n  - ${ask('strict')}\n  - ${save('one')}\n`, []],
    [
      'is told behind a strict gate that may be left out',
      `  - ${lax}\n  - ${ask('strict', ', condition: "1 > 0"')}\n  - ${save('one')}\n`,
      ['one condition'],
    ],
  ])('%s', (_what, steps, expected) => {
    expect(warned(steps)).toEqual(expected);
  });
});

describe('a long chain', () => {
  const chain = (length: number): string =>
    Array.from(
      { length },
      (_, at) => `  - ${ask(`s${at}`, at === 0 ? '' : `, prompt: "{s${at - 1}.decision}"`)}\n`,
    ).join('');
  it('is told at its end, whatever comes after it', () => {
    expect(of(playbook(`${chain(16)}  - ${ask('last')}\n`), 'long_chain')).toEqual(['s15 name']);
    expect(of(playbook(`${chain(15)}  - ${ask('last')}\n`), 'long_chain')).toEqual([]);
  });
  it('is as long as its longest way: steps that read the same one are none', () => {
    const fan = Array.from(
      { length: 30 },
      (_, at) => `  - ${ask(`s${at}`, at === 0 ? '' : ', prompt: "{s0.decision}"')}\n`,
    ).join('');
    expect(of(playbook(fan), 'long_chain')).toEqual([]);
  });
  it('does not count what a loop reads of the iteration before', () => {
    const steps = Array.from({ length: 12 }, (_, at) =>
      ask(`s${at}`, `, prompt: "{s${(at + 11) % 12}.decision}"`),
    ).join(', ');
    expect(
      of(playbook(`  - {name: l, loop: {until: "true", max_iterations: 2, steps: [${steps}]}}\n`), 'long_chain'),
    ).toEqual([]);
  });
});

describe('results that nothing uses', () => {
  const read = (name: string): string => `{name: ${name}, step_type: tool, action: query_journal}`;
  const unused = (steps: string, output = ''): string[] => of(playbook(steps) + output, 'unused_output');
  it.each<[string, string, string, string[]]>([
    ['the last step is the result', `  - ${read('a')}\n`, '', []],
    [
      'but not where the output shows other things',
      `  - ${read('a')}\n  - ${read('b')}\n`,
      'output: {sections: [{title: T, source: a}]}',
      ['b name'],
    ],
    ['and not where the output shows nothing', `  - ${read('a')}\n`, 'output: {title: T}', []],
    [
      'the last step of a map is its result',
      `  - {name: m, for_each: {items: [1], as: i, steps: [${read('a')}, ${read('b')}]}}\n`,
      'output: {sections: [{title: T, source: m.results}]}',
      ['a name'],
    ],
    ['a step with an effect is work in itself', `  - ${save('a')}\n  - ${ask('g')}\n`, '', []],
    ['a gate is no work for its result', `  - ${ask('g')}\n  - ${read('b')}\n`, '', []],
  ])('%s', (_what, steps, output, expected) => {
    expect(unused(steps, output)).toEqual(expected);
  });
});

describe('a secret', () => {
  const places = (text: string): string[] => of(text, 'secret_not_allowed');
  const S = '{secret: KEY}';
  it.each<[string, string, string[]]>([
    ['in an input', `  - {name: a, ${SAVE}, inputs: {data: ${S}}}`, ['a inputs.data']],
    ['deep in an input', `  - {name: a, ${SAVE}, inputs: {data: [1, {k: ${S}}]}}`, ['a inputs.data[1].k']],
    ['in a param', `  - {name: a, step_type: tool, action: query_journal, params: {limit: ${S}}}`, ['a params.limit']],
    [
      'in an input of a model',
      `  - {name: a, step_type: llm_task, action: llm_analyze, inputs: {data: ${S}}, params: {instructions: x}, output_schema: {fields: [{name: x}]}}`,
      ['a inputs.data'],
    ],
    [
      'in a param of a model',
      `  - {name: a, step_type: llm_task, action: llm_analyze, inputs: {data: 1}, params: {instructions: x, temperature: ${S}}, output_schema: {fields: [{name: x}]}}`,
      ['a params.temperature'],
    ],
    [
      'in an input of a playbook',
      `  - {name: a, action: run_playbook, playbook: child, inputs: {company: ${S}}}`,
      ['a inputs.company'],
    ],
    [
      'in the items of a map',
      `  - {name: a, for_each: {items: [${S}], as: i, steps: [${ask('g')}]}}`,
      ['a for_each.items[0]'],
    ],
    [
      'in what undoes a step',
      `  - {name: a, ${SAVE}, inputs: {data: []}, undo: {action: query_journal, inputs: {x: ${S}}}}`,
      ['a undo.inputs.x'],
    ],
    ['beside another key it is data', `  - {name: a, ${SAVE}, inputs: {data: [{secret: KEY, more: 1}]}}`, []],
    ['of no name it is one all the same', `  - {name: a, ${SAVE}, inputs: {data: {secret: null}}}`, ['a inputs.data']],
  ])('%s', (_what, steps, expected) => {
    expect(places(playbook(steps))).toEqual(expected);
  });
  it('in the settings of a destination', () => {
    const text = `${playbook(PULL, COMPANY)}output: {sections: [{title: T, source: pull.results}], destinations: [{type: document, config: {folder: ${S}}}]}`;
    expect(places(text)).toEqual(['output.destinations[0].config.folder']);
  });
});

describe('a deterministic playbook', () => {
  const places = (steps: string): string[] => of(playbook(steps, 'execution_mode: deterministic'), 'model_not_allowed');
  it.each<[string, string, string[]]>([
    [
      'calls no model',
      `  - {name: a, step_type: llm_task, action: llm_analyze, inputs: {data: 1}, params: {instructions: x}, output_schema: {fields: [{name: x}]}}`,
      ['a action'],
    ],
    [
      'lets none decide a route',
      `  - {name: r, route: {on: {action: llm_analyze, inputs: {data: 1}, params: {instructions: x}}, routes: {a: [${ask('g')}]}}}`,
      ['r_router action'],
    ],
    ['runs no other kind', '  - {name: a, action: run_playbook, playbook: chatty}', ['a playbook']],
    ['runs its own kind', '  - {name: a, action: run_playbook, playbook: child, inputs: {company: x}}', []],
    ['runs one of which the kind is not known', '  - {name: a, action: run_playbook, playbook: deep6}', []],
    ['uses tools', '  - {name: a, step_type: tool, action: query_journal}', []],
  ])('%s', (_what, steps, expected) => {
    expect(places(steps)).toEqual(expected);
  });
});
