import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { collectReferences, parseTemplate, renderTemplate, renderValue } from '../../../core/expr/template';
import { deepList } from '../base/support';
import { problemOf, rendered, scopeLookup, template } from './support';

const scope = {
  name: 'Acme',
  n: 3,
  half: 0.5,
  yes: true,
  no: false,
  none: null,
  list: [1, 'two', { three: 3 }],
  obj: { a: 1 },
  step: { results: [{ ein: '01' }, { ein: '02' }], status: 'ok' },
};

describe('parseTemplate: kinds', () => {
  it.each(['', 'plain', 'a } b', '{ "json": 1 }', '{{escaped}}', '{}', '{4}'])('%j is literal', (text) => {
    expect(template(text).kind).toBe('literal');
  });

  it.each(['{a}', '{a.b[0]["c d"]}', '{30_days_ago}', '{_}'])('%j is whole', (text) => {
    expect(template(text).kind).toBe('whole');
  });

  it.each(['{a} ', ' {a}', '{a}{b}', 'x{a}', '{a}}', '{{{a}}}'])('%j is text', (text) => {
    expect(template(text).kind).toBe('text');
  });

  it('gives parts in order, with offsets behind the brace', () => {
    expect(template('To {a.b}, {{c}} and {d}')).toEqual({
      kind: 'text',
      parts: [
        'To ',
        { root: 'a', path: [{ kind: 'field', name: 'b' }], text: 'a.b', offset: 4 },
        ', {c} and ',
        { root: 'd', path: [], text: 'd', offset: 21 },
      ],
    });
  });

  it('counts offsets in code units', () => {
    expect(template('👍 {a}')).toMatchObject({ parts: ['👍 ', { offset: 4 }] });
  });
});

describe('parseTemplate: problems', () => {
  it.each<[string, number]>([
    ['{a b}', 2],
    ['{a', 2],
    ['text {a', 7],
    ['{a.}', 3],
    ['{a.b }', 4],
    ['{a[}', 3],
    ['{a[0}', 2],
    ['{a:b}', 2],
    ['{color: red}', 6],
    ['{name, age}', 5],
    ['{a.b()}', 4],
    ['ok {a} then {b!}', 14],
    ['{{x}} {y z}', 8],
    ['{30_days}', 1],
    ['{36501_days_ago}', 1],
    ['{30_days_agox}', 1],
    ['{a{b}}', 2],
    ['line one\nline {two\nthree}', 18],
  ])('%j at %d', (text, offset) => {
    const problem = problemOf(parseTemplate(text));
    expect(problem).toMatchObject({ code: 'invalid_expression', offset });
    expect(problem.suggestion).toContain('For a literal brace write {{.');
  });

  it('keeps the more exact advice in front', () => {
    const problem = problemOf(parseTemplate('{a.list[-]}'));
    expect(problem.suggestion).toBe('For example [-1] for the last element. For a literal brace write {{.');
  });

  it('caps the length of texts with braces only', () => {
    expect(template('x'.repeat(100_000))).toEqual({ kind: 'literal', text: 'x'.repeat(100_000) });
    expect(template(`{a}${'x'.repeat(65_533)}`).kind).toBe('text');
    expect(problemOf(parseTemplate(`{a}${'x'.repeat(65_534)}`)).offset).toBe(65_536);
  });
});

describe('literal braces', () => {
  it.each([
    '{"a":1}',
    '{"a":{"b":1}}',
    '{"a":{"b":{"c":[{}]}}}',
    '[{"a":1},{"b":2}]',
    '{\n  "a": {\n    "b": 1\n  }\n}',
    "{'single': {'quotes': {}}}",
    '{ name }',
    '{\tname}',
    '{\nname}',
    '{\r\nname}',
    '{}',
    '{ }',
    '}',
    '}}',
    '}}}',
    '{',
    'end {',
    '{ {',
    '{.x}',
    '{#if}',
    '{%x%}',
    '{$x}',
    '{-1}',
    '{é}',
    '[a-z]{2,3}\\d{4}',
    '{1}{22}',
    '{30days}',
    '${ x }',
    'function f() { return {"a": 1}; }',
  ])('%j survives as it is', (text) => {
    expect(rendered(text)).toBe(text);
  });

  it.each([
    ['{{', '{'],
    ['}}', '}}'],
    ['{{}}', '{}'],
    ['{{a}}', '{a}'],
    ['{{ a }}', '{ a }'],
    ['{{{{a}}}}', '{{a}}'],
    ['{{"a": {"b": 1}}}', '{"a": {"b": 1}}'],
    ['{{"a": {{"b": 1}}}}', '{"a": {"b": 1}}'],
    ['{{a}', '{a}'],
    ['{{a} }}', '{a} }'],
    ['{{{name}}}', '{Acme}'],
    ['{{x: {name}}}', '{x: Acme}'],
    ['{"n":{n}}', '{"n":3}'],
    ['{"o":{"n":{n}}}', '{"o":{"n":3}}'],
    ['{"l":[{n},{n}]}', '{"l":[3,3]}'],
    ['{name}}', 'Acme}'],
    ['{{name}} {name}', '{name} Acme'],
  ])('%j gives %j', (text, expected) => {
    expect(rendered(text, scope)).toBe(expected);
  });
});

describe('renderTemplate', () => {
  it.each<[string, Json]>([
    ['{name}', 'Acme'],
    ['{n}', 3],
    ['{yes}', true],
    ['{none}', null],
    ['{list}', scope.list],
    ['{obj}', scope.obj],
    ['{step.results[*].ein}', ['01', '02']],
    ['{step["status"]}', 'ok'],
  ])('%s keeps the type', (text, expected) => {
    expect(rendered(text, scope)).toEqual(expected);
  });

  it('gives undefined for a whole reference that is not defined', () => {
    expect(rendered('{nowhere}', scope)).toBeUndefined();
    expect(rendered('{step.missing}', scope)).toBeUndefined();
  });

  it.each([
    ['{name}!', 'Acme!'],
    ['{n}{half}', '30.5'],
    ['{yes}/{no}', 'true/false'],
    ['[{none}][{nowhere.x}]', '[][]'],
    ['l={list}', 'l=[1,"two",{"three":3}]'],
    ['o={obj}', 'o={"a":1}'],
    ['{step.results[*].ein}.', '["01","02"].'],
    ['{name}\n{name}', 'Acme\nAcme'],
  ])('%j renders to %j', (text, expected) => {
    expect(rendered(text, scope)).toBe(expected);
  });

  it('asks the lookup once for every occurrence, with the reference', () => {
    const asked: string[] = [];
    renderTemplate(template('{a} {b.c} {a}'), (reference) => {
      asked.push(reference.text);
      return null;
    });
    expect(asked).toEqual(['a', 'b.c', 'a']);
  });

  it('refuses a text that grows without bound, with a code, before building it', () => {
    const big = 'x'.repeat(1_000_000);
    const text = '{a} '.repeat(10_000);
    expect(() => renderTemplate(template(text), scopeLookup({ a: big }))).toThrow(
      expect.objectContaining({ code: 'rendered_text_too_large', category: 'too_large', retryable: false }),
    );
    expect(() => renderValue([text, text], scopeLookup({ a: big }))).toThrow(/at most|exceed/);
  });

  it('counts the limit over all texts of one value', () => {
    const big = 'x'.repeat(20_000_000);
    const lookup = scopeLookup({ a: big });
    expect(() => renderValue(['{a}!'], lookup)).not.toThrow();
    expect(() => renderValue(['{a}!', '{a}!'], lookup)).toThrow(/33554432/);
    expect(renderValue(['{a}', '{a}', '{a}'], lookup)).toEqual([big, big, big]);
  });

  it('renders a value of any depth', () => {
    const text = rendered('{deep}.', { deep: deepList(50_000) });
    expect(text).toBe(`${'['.repeat(50_000)}${']'.repeat(50_000)}.`);
  });
});

describe('renderValue', () => {
  const lookup = scopeLookup(scope);

  it('renders strings at any depth and leaves the rest', () => {
    const source = { a: ['{n}', { b: 'Hi {name}', c: 1, d: null, e: true }], f: '{list}', g: '' };
    expect(renderValue(source, lookup)).toEqual({
      a: [3, { b: 'Hi Acme', c: 1, d: null, e: true }],
      f: scope.list,
      g: '',
    });
  });

  it.each<[Json, Json]>([
    ['{n}', 3],
    ['x', 'x'],
    [null, null],
    [7, 7],
    [[], []],
    [{}, {}],
    ['{nowhere}', null],
    [
      ['{nowhere}', '{none}'],
      [null, null],
    ],
  ])('%j gives %j', (value, expected) => {
    expect(renderValue(value, lookup)).toEqual(expected);
  });

  it('leaves keys alone and in their order', () => {
    const source = { '{name}': '{name}', z: '{n}', a: { y: 1, b: '{n}' }, m: 'x' };
    const copy = renderValue(source, lookup);
    expect(JSON.stringify(copy)).toBe('{"{name}":"Acme","z":3,"a":{"y":1,"b":3},"m":"x"}');
  });

  it('does not change or share its input', () => {
    const source = { a: [{ b: '{n}' }] };
    const before = JSON.stringify(source);
    const copy = renderValue(source, lookup) as { a: Json[] };
    expect(JSON.stringify(source)).toBe(before);
    expect(copy.a).not.toBe(source.a);
    expect(copy.a[0]).not.toBe(source.a[0]);
  });

  it('leaves a string that is no template as it is', () => {
    expect(renderValue({ a: '{not a reference}', b: '{n}' }, lookup)).toEqual({ a: '{not a reference}', b: 3 });
  });

  it('treats a missing element as null', () => {
    expect(renderValue({ a: undefined, b: [undefined] } as unknown as Json, lookup)).toEqual({ a: null, b: [null] });
  });

  it('works at a depth where recursion fails', () => {
    const depth = 100_000;
    let copy = renderValue(deepList(depth), lookup);
    let levels = 0;
    for (; Array.isArray(copy); copy = copy[0] ?? null) levels++;
    expect(levels).toBe(depth);
  });
});

describe('collectReferences', () => {
  const texts = (value: Json): string[] => collectReferences(value).map((reference) => reference.text);

  it.each<[Json, string[]]>([
    ['plain', []],
    ['{a}', ['a']],
    ['{a} {b.c} {a}', ['a', 'b.c']],
    [{ x: ['{a}', { y: '{b[0]}' }], z: '{c} {a}' }, ['a', 'b[0]', 'c']],
    [{ '{key}': 1 }, []],
    ['{a["b"]} {a.b}', ['a.b']],
    [[1, null, true, '{not valid', '{ok}'], ['ok']],
    ['{{a}} { b } {"c":1}', []],
    [null, []],
  ])('of %j are %j', (value, expected) => {
    expect(texts(value)).toEqual(expected);
  });

  it('keeps document order across nesting', () => {
    expect(texts([['{a}', ['{b}']], { x: { y: '{c}' }, z: '{d}' }, '{e}'])).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('gives the first occurrence', () => {
    expect(collectReferences('xx {a} {a}')[0]?.offset).toBe(4);
  });

  it('collects from many strings and from depth', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `{a.f${index % 1_000}}`);
    expect(collectReferences(many)).toHaveLength(1_000);
    expect(collectReferences(['{x}', deepList(100_000), '{y}'])).toHaveLength(2);
  });
});
