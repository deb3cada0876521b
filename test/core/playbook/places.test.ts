import { describe, expect, it } from '@jest/globals';
import { effectOf } from '../../../core/playbook/effects';
import { fieldsReadByStep, readsOf, readsOfOutput } from '../../../core/playbook/reads';
import { directDependencies } from '../../../core/playbook/data-dependencies';
import { itemOf, nameOf, ownerOf, rootOf } from '../../../core/playbook/step-path';
import { readSource } from '../../../core/playbook/source';
import { StepIndex } from '../../../core/playbook/step-index';
import { planOf } from './support';

describe('paths of steps', () => {
  it.each([
    ['a', 'a', 'a', 'a', 'a'],
    ['each[3]/parse', 'each[3]/parse', 'each', 'each[3]', 'parse'],
    ['each[3]', 'each[3]', 'each', 'each[3]', 'each'],
    ['each[12]/in[4]/x', 'each[12]/in[4]/x', 'each', 'each[12]', 'x'],
    ['par/a', 'par/a', 'par', 'par/a', 'a'],
    ['par/each[1]/x', 'par/each[1]/x', 'par', 'par/each[1]/x', 'x'],
    ['w/~model1', 'w', 'w', 'w/~model1', '~model1'],
    ['each[0]/w/~tool1.2~t3', 'each[0]/w', 'each', 'each[0]', '~tool1.2~t3'],
  ])('%s: of %s, in %s, item %s, called %s', (path, owner, root, item, name) => {
    expect([ownerOf(path), rootOf(path), itemOf(path), nameOf(path)]).toEqual([owner, root, item, name]);
  });
});

const PLAN = planOf(`
id: p
inputs: [{name: q, type: string}]
steps:
  - {name: a, step_type: tool, action: query_journal, condition: "{q} == 'x'"}
  - {name: b, step_type: tool, action: transform_data, inputs: {data: "{a.entries}"}, operations: [{type: filter, expression: "{own} > 1"}], undo: {action: query_journal, inputs: {x: "{a.count}"}}}
  - {name: c, step_type: approval, prompt: "{b.error.code} {a.result.errors}", preview_from: b.data}
  - name: each
    for_each: {items: "{b.data}", as: row, steps: [{name: d, step_type: tool, action: write_journal_entry, inputs: {summary: "{row.x} of {c.decision}"}}]}
  - name: turn
    loop: {until: "{e.status} == 'ok'", max_iterations: 3, steps: [{name: e, step_type: tool, action: query_journal, params: {limit: "{each.count}"}}]}
  - name: way
    route:
      on: {action: llm_analyze, inputs: {data: "{d_all}"}, params: {instructions: "{q} {turn.iterations}"}}
      routes: {x: [{name: f, step_type: approval}]}
  - name: way2
    route: {on: "{way.label} {c.decision}", routes: {x: [{name: h, step_type: approval}]}}
  - name: par
    action: parallel
    parallel_steps: [{name: g, action: run_playbook, playbook: other, inputs: {a: ["{a.truncated}"]}}]
output:
  title: "About {q}"
  summary: "{each.failed_count} failed"
  sections: [{title: "T {a.count}", source: par.status}]
  destinations: [{type: document, condition: "{way.label} == 'x'", config: {folder: "{not_read}"}}]
`);
const index = new StepIndex(PLAN);
const step = (name: string) => index.withName(name)!;

describe('what a step reads', () => {
  it.each<[string, string[]]>([
    ['a', ['q']],
    ['b', ['a.entries']],
    ['c', ['b.error.code', 'a.result.errors', 'b.data']],
    ['each', ['b.data']],
    ['d', ['row.x', 'c.decision']],
    ['turn', ['e.status']],
    ['e', ['each.count']],
    ['way', ['d_all', 'q', 'turn.iterations']],
    ['way2', ['way.label', 'c.decision']],
    ['par', []],
    ['g', ['a.truncated']],
  ])('%s', (name, references) => {
    expect(readsOf(step(name)).map(({ text }) => text)).toEqual(references);
  });

  it('the output reads its texts, sections and conditions, not where it goes', () => {
    expect(readsOfOutput(PLAN.output!).map(({ text }) => text)).toEqual([
      'q',
      'each.failed_count',
      'par.status',
      'a.count',
      'way.label',
    ]);
  });

  it('with that what is around it reads; whether a loop turns again is no data', () => {
    const names = (name: string): string[] => directDependencies(index, step(name)).map((source) => source.name);
    expect(names('d')).toEqual(['b', 'c']);
    expect(names('e')).toEqual(['each']);
    expect(names('f')).toEqual(['turn']);
    expect(names('a')).toEqual([]);
  });

  it('of each result the fields that are read are known, whatever stands before them', () => {
    const asked = Object.fromEntries([...fieldsReadByStep(PLAN)].map(([key, fields]) => [key, [...fields].sort()]));
    expect(asked).toMatchObject({
      a: ['count', 'entries', 'errors', 'truncated'],
      b: ['data', 'error'],
      e: ['status'],
      each: ['count', 'failed_count'],
      par: ['status'],
      way: ['label'],
    });
    expect(asked).not.toHaveProperty('q');
    expect(fieldsReadByStep(PLAN)).toBe(fieldsReadByStep(PLAN));
  });
});

it('the place in a list is no field of a result', () => {
  const plan = planOf(
    'id: p\nsteps: [{name: a, step_type: tool, action: query_journal}, {name: b, step_type: approval, prompt: "{a[0].x} {a.result[1].y} {a[*].z} {a}"}]',
  );
  expect(Object.fromEntries([...fieldsReadByStep(plan)].map(([key, fields]) => [key, [...fields]]))).toEqual({
    a: ['x', 'y', 'z'],
  });
});

describe('the tree of steps', () => {
  it('knows each by name and key, and what lies around it', () => {
    expect(
      index.chain(step('d')).map((position) => `${position.step.name} ${position.depth} ${position.index}`),
    ).toEqual(['each 0 3', 'd 1 0']);
    expect(index.keys()).toEqual(['a', 'b', 'c', 'each', 'd', 'turn', 'e', 'way', 'f', 'way2', 'h', 'par', 'g']);
    expect([index.withKey('nope'), index.withName('nope')]).toEqual([undefined, undefined]);
    const before = (other: string, one: string): boolean =>
      index.isBefore(index.positions.get(step(other))!, index.positions.get(step(one))!);
    expect([before('a', 'b'), before('b', 'a'), before('a', 'a')]).toEqual([true, false, false]);
  });
  it('in a DAG what does not depend on a step is not before it', () => {
    const plan = planOf(
      'id: p\nsteps: [{name: a, step_type: approval}, {name: b, step_type: approval, depends_on: [a]}, {name: c, step_type: approval, depends_on: [b]}, {name: d, step_type: approval}]',
    );
    const dag = new StepIndex(plan);
    const before = (other: string, one: string): boolean =>
      dag.isBefore(dag.positions.get(dag.withName(other)!)!, dag.positions.get(dag.withName(one)!)!);
    expect([before('a', 'c'), before('c', 'a'), before('d', 'c'), before('a', 'd'), before('c', 'c')]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
  it('knows what a step does outside; what is not known may do anything', () => {
    const lookup = { endpointEffect: (connector: string) => (connector === 'safe' ? ('none' as const) : undefined) };
    const of = (fields: string): string => effectOf(planOf(`id: p\nsteps: [{name: s, ${fields}}]`).steps[0]!, lookup);
    expect(of('step_type: tool, action: query_journal')).toBe('none');
    expect(of('step_type: tool, action: write_journal_entry, inputs: {summary: x}')).toBe('transactional');
    expect(of('step_type: tool, action: safe.get')).toBe('none');
    expect(of('step_type: tool, action: other.get')).toBe('unsafe');
    expect(of('step_type: tool, action: unheard')).toBe('unsafe');
    expect(of('step_type: tool, action: call_connector, connector: 5, endpoint: get')).toBe('unsafe');
    const model = (params: string): string =>
      of(`step_type: llm_task, action: research_with_tools, params: {${params}}, output_schema: {fields: [{name: a}]}`);
    expect(['', 'tools: [query_journal, safe.get]', 'tools: []'].map(model)).toEqual(['none', 'none', 'none']);
    expect(
      ['tools: [other.get]', 'tools: [unheard]', 'tools: [call_connector]', 'tools: x', 'tools: [5]'].map(model),
    ).toEqual(Array(5).fill('unsafe'));
  });
});

describe('a text that is read', () => {
  const codes = (text: string): string[] =>
    readSource(text)
      .problems.sorted()
      .map(({ code }) => code);

  it('has a million bytes at most, whatever characters they are', () => {
    const of = (character: string, bytes: number): string => {
      const count = Math.floor((1_000_000 - 3) / bytes);
      return `a: ${character.repeat(count)}`;
    };
    for (const [character, bytes] of [
      ['x', 1],
      ['\u07ff', 2],
      ['\u0800', 3],
      ['\ud7ff', 3],
      ['\ue000', 3],
      ['\u{10000}', 4],
      ['\u{10ffff}', 4],
    ] as const) {
      expect([character, codes(of(character, bytes))]).toEqual([character, []]);
      expect([character, codes(`${of(character, bytes)}${character.repeat(2)}xx`)]).toEqual([
        character,
        ['text_too_large'],
      ]);
    }
  });

  it.each<[string, string[], unknown]>([
    ['a: 1_000', ['number_spelling'], { a: '1_000' }],
    ['a: -1_0.5', ['number_spelling'], { a: '-1_0.5' }],
    ['a: 0b11', ['number_spelling'], { a: '0b11' }],
    ['a: 0XfF', ['number_spelling'], { a: '0XfF' }],
    ['a: 0O17', ['number_spelling'], { a: '0O17' }],
    ['a: x1_000', [], { a: 'x1_000' }],
    ['a: 1_000x', [], { a: '1_000x' }],
    ['a: 0b12', [], { a: '0b12' }],
    ['a: "1_000"', [], { a: '1_000' }],
    ['a: 007', ['leading_zero'], { a: 7 }],
    ['a: 0x1F', ['number_spelling'], { a: 31 }],
    ['a: 1.10', ['number_spelling'], { a: 1.1 }],
    ['a: 1.5', [], { a: 1.5 }],
    ['a: -0', ['number_spelling'], { a: 0 }],
    ['a: 12345678901234567890', ['invalid_number'], { a: 0 }],
    ['a: .inf', ['invalid_number'], { a: 0 }],
    ['a: &x [1, 2]\nb: *x', [], { a: [1, 2], b: [1, 2] }],
    ['a: *x', ['unknown_alias'], undefined],
    ['? [a]\n: 1', ['invalid_key'], {}],
    ['5: a\ntrue: b', [], { 5: 'a', true: 'b' }],
    ['a: 1\na: 2', ['duplicate_key'], { a: 1 }],
    ['<<: {a: 1}', ['merge_key'], {}],
    ['__proto__: 1', ['invalid_key'], {}],
    ['{a:1}', ['missing_blank'], { 'a:1': null }],
    ['{a:1: 2}', [], { 'a:1': 2 }],
    ['{http://x}', [], { 'http://x': null }],
    ['{a::b}', [], { 'a::b': null }],
    ['a: {name}', ['unquoted_reference'], { a: { name: null } }],
    ['a: {name, other}', [], { a: { name: null, other: null } }],
    ['a: {name: }', [], { a: { name: null } }],
    ['a: {? name}', [], { a: { name: null } }],
    ['', [], null],
  ])('%j', (text, expected, value) => {
    const { document, problems } = readSource(text);
    expect(problems.sorted().map(({ code }) => code)).toEqual(expected);
    expect(document?.toJson()).toEqual(value);
  });

  it('has a place for everything in it, and the nearest one for what is not', () => {
    const { document } = readSource('a:\n  - {k: "x\\u0041y"}\nb: |\n  one\n  two\n');
    const at = (path: (string | number)[]): string => {
      const { line, column } = document!.position(document!.offsetOf(path));
      return `${line}:${column}`;
    };
    expect([
      at([]),
      at(['a']),
      at(['a', 0]),
      at(['a', 0, 'k']),
      at(['a', 0, 'nope']),
      at(['a', 7]),
      at(['nope']),
    ]).toEqual(['1:1', '2:3', '2:5', '2:9', '2:5', '2:3', '1:1']);
    const key = (path: (string | number)[]): number => document!.keyOffsetOf(path);
    expect([key(['b']), key(['a', 0, 'k']), key(['a', 0]), key(['nope']), key([])]).toEqual([23, 8, 7, 0, 0]);
    const inside = (path: (string | number)[], index: number): number =>
      document!.offsetInside(document!.find(path)!, index);
    expect([inside(['a', 0, 'k'], 0), inside(['a', 0, 'k'], 2), inside(['b'], 4), inside(['a'], 3)]).toEqual([
      12, 19, 36, 5,
    ]);
    expect(document!.find(['a', 'k'])).toBeUndefined();
    const empty = readSource('{name, b}').document!;
    expect([empty.offsetOf(['name']), empty.offsetOf(['b'])]).toEqual([5, 8]);
  });

  it('nests a hundred lists and mappings, in brackets and by indentation', () => {
    const brackets = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const lines = (levels: number): string =>
      Array.from({ length: levels }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    expect([codes(brackets(100)), codes(brackets(101))]).toEqual([[], ['too_deep']]);
    expect([codes(lines(100)), codes(lines(103))]).toEqual([[], ['too_deep']]);
    expect(codes(`[${brackets(99)}, ${brackets(99)}, ${brackets(99)}]`)).toEqual([]);
  });
});
