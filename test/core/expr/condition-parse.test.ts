import { describe, expect, it } from '@jest/globals';
import { assertNever } from '../../../core/base/assert-never';
import { collectConditionReferences, parseCondition } from '../../../core/expr/condition';
import type { Expr } from '../../../core/expr/types';
import { expression, problemOf } from './support';

/** The tree as text with every grouping shown. */
function tree(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return JSON.stringify(expr.value);
    case 'list':
      return `[${expr.items.map(tree).join(' ')}]`;
    case 'ref':
      return `{${expr.ref.text}}`;
    case 'not':
      return `(not ${tree(expr.operand)})`;
    case 'negate':
      return `(- ${tree(expr.operand)})`;
    case 'defined':
      return `(${expr.negated ? 'undefined' : 'defined'} ${tree(expr.operand)})`;
    case 'call':
      return `${expr.name}(${expr.args.map(tree).join(' ')})`;
    case 'logic':
    case 'compare':
    case 'arith':
      return `(${tree(expr.left)} ${expr.op} ${tree(expr.right)})`;
    default:
      return assertNever(expr, 'node');
  }
}

describe('parseCondition: trees', () => {
  it.each([
    ['{a}', '{a}'],
    ['{a.b[0][*]["c d"]}', '{a.b[0][*]["c d"]}'],
    ['1', '1'],
    ['007', '7'],
    ['1.50', '1.5'],
    ['1e3', '1000'],
    ['2E-2', '0.02'],
    ['1e+2', '100'],
    ['-1', '(- 1)'],
    ['- - 1', '(- (- 1))'],
    ["'it\\'s'", '"it\'s"'],
    ['"a\\"b\\u0041\\n"', JSON.stringify('a"bA\n')],
    ["'{a}'", '"{a}"'],
    ["'line\nbreak'", JSON.stringify('line\nbreak')],
    ['true', 'true'],
    ['False', 'false'],
    ['NULL', 'null'],
    ['[]', '[]'],
    ['[1, [2], {a}]', '[1 [2] {a}]'],
    ['1 + 2 * 3', '(1 + (2 * 3))'],
    ['(1 + 2) * 3', '((1 + 2) * 3)'],
    ['1 - 2 - 3', '((1 - 2) - 3)'],
    ['8 / 4 / 2', '((8 / 4) / 2)'],
    ['1 - -2', '(1 - (- 2))'],
    ['1-2', '(1 - 2)'],
    ['-{a} * 2', '((- {a}) * 2)'],
    ['{a} + 1 > 2 * {b}', '(({a} + 1) > (2 * {b}))'],
    ['{a} == 1 AND {b} == 2 OR {c}', '((({a} == 1) and ({b} == 2)) or {c})'],
    ['{a} OR {b} AND {c}', '({a} or ({b} and {c}))'],
    ['{a} AND ({b} OR {c})', '({a} and ({b} or {c}))'],
    ['NOT {a} AND {b}', '((not {a}) and {b})'],
    ['NOT {a} == 1', '(not ({a} == 1))'],
    ['not not {a}', '(not (not {a}))'],
    ['{a} is defined', '(defined {a})'],
    ['{a} IS NOT DEFINED', '(undefined {a})'],
    ['NOT {a} is defined', '(not (defined {a}))'],
    ['{a} is defined and {b} is not defined', '((defined {a}) and (undefined {b}))'],
    ['{a} + 1 is defined', '(defined ({a} + 1))'],
    ['{a} in [1, 2]', '({a} in [1 2])'],
    ['{a} not in {b}', '(not ({a} in {b}))'],
    ['{a} contains "x"', '({a} contains "x")'],
    ['{a} not contains "x"', '(not ({a} contains "x"))'],
    ['({a} < 1) == true', '(({a} < 1) == true)'],
    ['length({a}) >= 1', '(length({a}) >= 1)'],
    ['LENGTH({a})', 'length({a})'],
    ['min(1, 2, {a} + 3)', 'min(1 2 ({a} + 3))'],
    ['coalesce({a}, lower({b}))', 'coalesce({a} lower({b}))'],
    ['text ( {a} )', 'text({a})'],
    ['{a}==1AND{b}', null],
    ['{a}<=1', '({a} <= 1)'],
    ['{a}\n\t AND \r\n{b}', '({a} and {b})'],
    ['{30_days_ago} < {today}', '({30_days_ago} < {today})'],
    ["'a'in['a']", '("a" in ["a"])'],
  ])('%j', (text, expected) => {
    const result = parseCondition(text);
    expect(result.ok ? tree(result.value) : null).toBe(expected);
  });

  it('gives offsets of references behind their brace', () => {
    expect(
      collectConditionReferences(expression('{a} > 1 and\n{b.c} < {a}')).map(({ text, offset }) => [text, offset]),
    ).toEqual([
      ['a', 1],
      ['b.c', 13],
    ]);
  });
});

describe('parseCondition: problems', () => {
  it.each<[string, number, string, string?]>([
    ['', 0, 'Expected a value, found the end of the expression.'],
    ['   ', 3, 'Expected a value'],
    ['{a} >', 5, 'Expected a value, found the end'],
    ['> 1', 0, 'Expected a value, found `>`'],
    ['{a} {b}', 4, 'Expected AND, OR or the end of the expression, found {b}'],
    ['{a} 1', 4, 'found a number'],
    ["{a} 'x'", 4, 'found a text'],
    ['{a} AND', 7, 'Expected a value'],
    ['AND {a}', 0, 'Expected a value, found `AND`'],
    ['NOT', 3, 'Expected a value'],
    ['({a}', 0, 'never closed: ) is missing'],
    ['{a})', 3, 'found `)`'],
    ['[1, 2', 0, 'never closed: ] is missing'],
    ['[1 2]', 3, 'Expected , or ]'],
    ['[1,]', 3, 'Expected a value, found `]`'],
    ['(1, 2)', 2, 'Expected , or )'],
    ['()', 1, 'Expected a value, found `)`'],
    ['length({a}', 0, 'never closed: ) is missing'],
    ['length {a}', 0, 'A name outside quotes and braces', 'Write {length}'],
    ['length()', 0, 'takes 1 argument, not 0', 'Write length({a.results}).'],
    ['round(1,2,3)', 0, 'takes 1 to 2 arguments, not 3', 'Write round({a.share}, 2).'],
    ['1 + size({a})', 4, 'There is no function `size`', 'Write length({a.results}).'],
    ['lenght({a})', 0, 'There is no function `lenght`', 'Did you mean length?'],
    ['startswith({a}, 1)', 0, 'no function', "Write starts_with({a.code}, 'X')."],
    [
      'count',
      0,
      'A name outside quotes and braces means nothing here.',
      'Write {count} for a value, or put text in quotes.',
    ],
    ['{a} == failed', 7, 'A name outside', 'Write {failed} for a value'],
    ['pull.count > 0', 0, 'A name outside', 'Write {pull.count} for a value'],
    ['pull-990.count[0] > 0', 0, 'A name outside', 'Write {pull-990.count[0]} for a value'],
    ['rows[0].n > 0', 0, 'A name outside', 'Write {rows[0].n} for a value'],
    ['{a} = 1', 4, 'Here is `=`', 'Write == to compare.'],
    ['{a} === 1', 4, '`===` is not an operator', 'Write == to compare.'],
    ['{a} !== 1', 4, '`!==` is not an operator', 'Write != to compare.'],
    ['{a} <> 1', 4, '`<>` is not an operator', 'Write != to compare.'],
    ['{a} => 1', 4, '`=>` is not an operator', 'Write >= to compare.'],
    ['{a} && {b}', 4, '`&&` is not an operator', 'Write AND.'],
    ['{a} || {b}', 4, '`||` is not an operator', 'Write OR.'],
    ['!{a}', 0, 'Here is `!`', 'Write NOT.'],
    ['{a} & {b}', 4, 'Here is `&`', 'Write AND.'],
    ['{a} | {b}', 4, 'Here is `|`', 'Write OR, or a function around the value: upper({a}).'],
    ['{a} ?? {b}', 4, '`??` is not an operator', 'Write coalesce({a}, {b}).'],
    ['{{ a }}', 0, 'one pair of braces', 'For example {pull.count}.'],
    ['$json.name', 0, 'Here is `$`', 'Write {step.field} for a value.'],
    ['2 ** 3', 2, '`**` is not an operator', 'There is no power operator.'],
    ['{a} % 2', 4, 'Here is `%`, which has no meaning', 'Write mod({a}, 2).'],
    ['{a} ? 1', 4, 'Here is `?`', 'Write if('],
    ['{a} == “x”', 7, 'U+201C', 'straight quotes'],
    ['{a} == 👍', 7, 'U+1F44D'],
    ['{a}\u00a0== 1', 3, 'U+00A0'],
    ['1 < 2 < 3', 6, 'cannot be chained', 'Join two comparisons with AND.'],
    ['{a} == {b} == {c}', 11, 'cannot be chained'],
    ['{a} in {b} in {c}', 11, 'cannot be chained'],
    ['{a} is defined == true', 15, 'cannot be chained'],
    ['{a} is null', 7, 'Expected `defined`, found `null`', 'Write `is defined`'],
    ['{a} is not null', 11, 'Expected `defined`', 'Write `is not defined`'],
    ['{a} is', 6, 'Expected `defined`'],
    ['{a} not {b}', 8, 'Expected `in` or `contains` after `not`', 'NOT stands before'],
    ['{a} == None', 7, '`None` is not a value', 'Write null'],
    ['undefined', 0, '`undefined` is not a value', 'is not defined'],
    ['{ a }', 1, 'no blank between'],
    ['{a }', 2, 'ends with }', 'Braces hold a reference alone'],
    ['{a > 1}', 2, 'a blank', 'operators and functions stand outside'],
    ['{}', 1, 'starts with a letter'],
    ['{a', 2, 'the end of the text'],
    ['{a[-x]} > 0', 4, 'A digit follows -'],
    ['{a[-0]} > 0', 3, 'no element -0'],
    ['first({a})', 0, 'There is no function `first`', 'Write {a.list[0]}.'],
    ['frobnicate({a})', 0, 'There is no function', 'docs/expressions.md'],
    ['{', 1, 'the end of the text'],
    ['}', 0, 'Here is `}`'],
    ["'abc", 0, 'never closed'],
    ['{a} == "x\\q"', 9, 'not a known escape'],
    ['1.', 1, 'cannot be followed by `.`'],
    ['.5', 0, 'Here is `.`'],
    ['1.5.2', 3, 'cannot be followed by `.`'],
    ['1a', 1, 'cannot be followed by `a`', 'quotes'],
    ['1e', 1, 'cannot be followed by `e`'],
    ['2024-01-01x', 10, 'cannot be followed by `x`'],
    ['1e999', 0, 'too large'],
    ['{a} AND\nOR', 8, 'found `OR`'],
  ])('%j at %d: %s', (...[text, offset, message, suggestion]) => {
    const problem = problemOf(parseCondition(text));
    expect(problem.code).toBe('invalid_expression');
    expect(problem.message).toContain(message);
    expect(problem.offset).toBe(offset);
    if (suggestion !== undefined) expect(problem.suggestion).toContain(suggestion);
  });
});

describe('parseCondition: limits', () => {
  const nest = (depth: number, open: string, close: string): string => open.repeat(depth) + '1' + close.repeat(depth);

  it.each([
    ['(', ')'],
    ['[', ']'],
    ['abs(', ')'],
    ['not ', ''],
    ['- ', ''],
  ])('takes 50 levels of %s, not 51', (open, close) => {
    expect(parseCondition(nest(50, open, close)).ok).toBe(true);
    expect(problemOf(parseCondition(nest(51, open, close))).message).toContain('at most 50 levels');
  });

  it('points at the level that is too deep', () => {
    expect(problemOf(parseCondition(nest(60, '(', ')'))).offset).toBe(51);
  });

  it('does not overflow on the deepest text that fits', () => {
    for (const open of ['(', '[', 'not ', '-', 'abs(', '{a}==(', '(not [']) {
      const text = open.repeat(Math.floor(65_536 / open.length));
      expect(problemOf(parseCondition(text)).code).toBe('invalid_expression');
    }
  });

  it.each([' + ', ' AND ', ' OR ', ' * '])('takes 1,000 operators %s, not 1,001', (operator) => {
    expect(parseCondition(Array.from({ length: 1_001 }, () => '1').join(operator)).ok).toBe(true);
    const problem = problemOf(parseCondition(Array.from({ length: 1_002 }, () => '1').join(operator)));
    expect(problem.message).toContain('at most 1000 operators');
  });

  it('takes a list of thousands of values', () => {
    const list = Array.from({ length: 5_000 }, (_, index) => `'k${index}'`).join(', ');
    const expr = expression(`{a} in [${list}]`);
    expect(expr).toMatchObject({ kind: 'compare', right: { kind: 'list' } });
  });

  it.each([
    (long: string) => `${long}(1)`,
    (long: string) => long,
    (long: string) => `{a} {${long}}`,
    (long: string) => `{a} ${long}`,
    (long: string) => `{a.1${long}}`,
  ])('keeps its problems short whatever it quotes (%#)', (make) => {
    const { message, suggestion } = problemOf(parseCondition(make('x'.repeat(60_000))));
    expect(message.length + (suggestion?.length ?? 0)).toBeLessThan(400);
  });

  it('takes 65,536 characters, not more', () => {
    expect(parseCondition(`1${' '.repeat(65_535)}`).ok).toBe(true);
    expect(problemOf(parseCondition(`1${' '.repeat(65_536)}`))).toMatchObject({ offset: 65_536 });
  });
});

describe('collectConditionReferences', () => {
  it.each<[string, string[]]>([
    ['1 == 1', []],
    ['{a}', ['a']],
    ['{b} > 1 AND {a} < {b}', ['b', 'a']],
    ['coalesce({a.b}, [{c}, -{d}], NOT {e})', ['a.b', 'c', 'd', 'e']],
    ['{a} is defined or {a["b"]} is not defined or {a.b}', ['a', 'a.b']],
    ["'{x}' == {y}", ['y']],
    ['(({a} + {b}) * {c}) in [{d}]', ['a', 'b', 'c', 'd']],
  ])('of %s', (text, expected) => {
    expect(collectConditionReferences(expression(text)).map((reference) => reference.text)).toEqual(expected);
  });

  it('walks a tree of any height', () => {
    let expr: Expr = { kind: 'ref', ref: { root: 'x', path: [], text: 'x', offset: 0 } };
    for (let level = 0; level < 100_000; level++) expr = { kind: 'not', operand: expr };
    expect(collectConditionReferences(expr).map((reference) => reference.text)).toEqual(['x']);
  });
});
