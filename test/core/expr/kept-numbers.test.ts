import { describe, expect, it } from '@jest/globals';
import type { ExactNumbers } from '../../../core/base/exact-numbers';
import type { Json } from '../../../core/base/json';
import { collectNeededReferences, evaluateCondition, evaluateExpr } from '../../../core/expr/condition';
import { parseReference, walkPath } from '../../../core/expr/reference';
import { renderDefined } from '../../../core/expr/template';
import { isNullOrList, projectsUnknownField } from '../../../core/expr/walk';
import { expression, parsed, scopeLookup, type Scope } from './support';

/** 2^53 + 1: no double holds it. */
const BIG = '9007199254740993';
const OLDER: ExactNumbers = () => false;

describe('a number that is kept as text', () => {
  const SCOPE: Scope = {
    big: BIG,
    less: `-${BIG}`,
    cent: `${BIG}.25`,
    same: `${BIG}.0`,
    long: '0.1234567890123456789',
    list: [BIG, 1],
    kept: [BIG, BIG],
    mixed: [BIG, 'x'],
    tenths: [0.1, 0.2],
    text: 'abc',
    small: '5',
    n: 9_007_199_254_740_994,
    even: '9007199254740994',
  };
  it.each<[expr: string, value: Json, older: Json]>([
    ['abs({less})', BIG, null],
    ['abs({big})', BIG, null],
    ['abs({text})', null, null],
    ['abs({small})', null, null],
    ['abs(-3)', 3, 3],
    ['round({cent}, 1)', `${BIG}.3`, null],
    ['round({cent})', BIG, null],
    ['round({cent}, -15)', 9_000_000_000_000_000, null],
    ['round({cent}, -16)', null, null],
    ['round({long}, 15)', 0.123456789012346, null],
    ['round({long}, 16)', null, null],
    ['round({long}, 0.5)', null, null],
    ['round({text}, 1)', null, null],
    ['sum({list})', 9_007_199_254_740_994, null],
    ['sum({kept})', '18014398509481986', null],
    ['sum({mixed})', null, null],
    ['sum({tenths})', 0.3, 0.30000000000000004],
    ['0.1 + 0.2', 0.3, 0.30000000000000004],
    ['{big} + 1', 9_007_199_254_740_994, null],
    ['{big} - {less}', '18014398509481986', null],
    ['{big} * 10', '90071992547409930', null],
    ['{big} + {text}', null, null],
    ['-{big}', `-${BIG}`, null],
    ['{big} == {same}', true, false],
    ['{big} != {same}', false, true],
    [`{big} == ${BIG}`, true, false],
    ['{big} == {less}', false, false],
    ['{big} == {text}', false, false],
    ['{big} == 5', false, false],
    ['{n} == {even}', true, false],
    ['{even} == {n}', true, false],
    ['{kept} == [9007199254740993, 9007199254740993.0]', true, false],
    ['{big} > 5', true, false],
    ['{big} < 5', false, false],
    ['5 < {big}', true, false],
    ['{less} < {big}', true, true],
    ['{small} < {big}', true, true],
    ['{big} < {small}', false, false],
    ['{big} < {text}', false, true],
    ['{small} < 6', false, false],
    ['max({big}, 5)', BIG, null],
    ['min({less}, {big}, 0)', `-${BIG}`, null],
    ['number({big})', BIG, 9_007_199_254_740_992],
    ['number({small})', 5, 5],
  ])('%s is %j, and %j in a run that began before', (text, value, older) => {
    const of = (exact?: ExactNumbers): Json | undefined => evaluateExpr(expression(text), scopeLookup(SCOPE), exact);
    expect([of(), of(OLDER)]).toEqual([value, older]);
  });
});

describe('values that an operator cannot use', () => {
  const SCOPE: Scope = { text: 'abc', none: null, nulls: [null, null], some: [null, 'x'], one: [1, 'x'], big: BIG };
  it.each<[expr: string, told: (Json | undefined)[][]]>([
    ['{text} < 5', [['abc', 5]]],
    ['5 >= {text}', [[5, 'abc']]],
    ['{text} <= 5', [['abc', 5]]],
    ['{text} > 5', [['abc', 5]]],
    ['7 < 5', []],
    ['3 < 5', []],
    ['{none} < 5', []],
    ['5 < {none}', []],
    ['{gone} < 5', []],
    ['{text} == 5', []],
    ['{text} in {none}', []],
    ['{big} < {text}', [[BIG, 'abc']]],
    ['{text} + 1', [['abc']]],
    ['1 - {text}', [['abc']]],
    ['{text} * {some}', [['abc', [null, 'x']]]],
    ['-{text}', [['abc']]],
    ['1 / 0', []],
    ['{none} + 1', []],
    ['1 + {gone}', []],
    ['1 + 2', []],
    ['{big} + 2', []],
    ['lower(5)', [[5]]],
    ["lower('A')", []],
    ['lower({none})', []],
    ['max({one})', [[[1, 'x']]]],
    ['max({nulls})', []],
    ['max({none}, {text}, 1)', [[null, 'abc', 1]]],
    ['max({none}, {gone})', []],
    ['coalesce({none}, {gone})', []],
    ['coalesce({none}, 1)', []],
    ['sum({text})', [['abc']]],
    ['sum({some})', [[[null, 'x']]]],
    ['sum({nulls})', []],
    ['number({text})', [['abc']]],
    ['length(true)', [[true]]],
    ['round(1, {none})', []],
    ['round({text}, 1)', [['abc', 1]]],
    ['date_diff_days({text}, {none})', []],
    ['date_diff_days({text}, {text})', [['abc', 'abc']]],
  ])('%s: %j', (text, told) => {
    const heard: (Json | undefined)[][] = [];
    const note = (values: readonly (Json | undefined)[]): void => void heard.push([...values]);
    evaluateCondition(expression(text), scopeLookup(SCOPE), undefined, note);
    expect(heard).toEqual(told);
    // Evaluates without an error.
    expect(() => evaluateCondition(expression(text), scopeLookup(SCOPE))).not.toThrow();
  });
});

describe('the values that a condition counts on', () => {
  it.each<[expr: string, needed: string[]]>([
    ['{a} > 1 AND {b} is defined', ['a']],
    ['NOT ({a} is not defined)', []],
    ['{a} == null OR {b} != null', []],
    ['null == {a}', []],
    ['{a} == {b}', ['a', 'b']],
    ['{a} == 0', ['a']],
    ["{a} == ''", ['a']],
    ['coalesce({a}, 1) > {b}', ['b']],
    ["lower({a}) == 'x'", ['a']],
    ['{a} in [null, {b}, {a}]', ['a', 'b']],
    ['-{a} + {b} * 2', ['a', 'b']],
    ['NOT {a}', ['a']],
  ])('%s: %j', (text, needed) => {
    expect(collectNeededReferences(expression(text)).map((ref) => ref.text)).toEqual(needed);
  });
});

describe('a projection', () => {
  it.each<[path: string, value: Json, nothing: boolean]>([
    ['x[*].b', [{ b: 1 }], false],
    ['x[*].b', [{}, { b: 1 }], false],
    ['x[*].b', [{}, {}], true],
    ['x[*].b', [{ b: null }], false],
    ['x[*].b', ['text'], true],
    ['x[*].b', [], false],
    ['x[*].b', 'text', false],
    ['x[*].b', { b: 1 }, false],
    ['x[0].b', [{}], false],
    ['x.b', {}, false],
    ['x.l[*].b', { l: [{}] }, true],
    ['x.l.b', { l: [{}] }, false],
    ['x.l[*].b', {}, false],
    ['x[*].r[*].b', [{ r: [{}] }, {}], true],
    ['x[*].r[*].b', [{ r: [{}] }, { r: [{ b: 1 }] }], false],
    ['x[*].r[*].b', [{ r: [{}] }, { r: [] }], false],
    ['x[*]', [null], false],
  ])('%s of %j names what nothing has: %s', (path, value, nothing) => {
    const ref = parsed(parseReference(path));
    expect(projectsUnknownField(value, ref.path)).toBe(nothing);
    // Results are all empty if the path says nothing.
    const found = walkPath(value, ref.path);
    if (nothing) expect(Array.isArray(found) && found.every(isNullOrList)).toBe(true);
  });

  it.each<[Json, boolean]>([
    [null, true],
    [[], true],
    [[1], true],
    [{}, false],
    ['', false],
    [0, false],
    [false, false],
  ])('that gives %j may have found nothing: %s', (item, may) => {
    expect(isNullOrList(item)).toBe(may);
  });
});

it('what is handed over leaves out a key whose value is not there, and keeps null', () => {
  const given = { a: '{x}', gone: '{y}', l: ['{y}', '{x}', { in: '{y}' }], n: null, nil: '{none}', t: 'a {y}.' };
  expect(renderDefined(given, scopeLookup({ x: 1, none: null }))).toStrictEqual({
    a: 1,
    l: [null, 1, {}],
    n: null,
    nil: null,
    t: 'a .',
  });
});
