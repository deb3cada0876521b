import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { formatReference, parseReference } from '../../../core/expr/reference';
import type { PathSegment } from '../../../core/expr/types';
import { anyReference } from './arbitraries';
import { parsed, problemOf } from './support';

const field = (name: string): PathSegment => ({ kind: 'field', name });
const index = (at: number): PathSegment => ({ kind: 'index', index: at });
const each: PathSegment = { kind: 'each' };

describe('parseReference', () => {
  it.each<[string, string, PathSegment[]]>([
    ['a', 'a', []],
    ['_x-1', '_x-1', []],
    ['pull.results', 'pull', [field('results')]],
    ['pull.results[0].name', 'pull', [field('results'), index(0), field('name')]],
    ['pull.results[*].name', 'pull', [field('results'), each, field('name')]],
    ['rows[12][*][3]', 'rows', [index(12), each, index(3)]],
    ['rows["First name"]', 'rows', [field('First name')]],
    ["rows['it\\'s']", 'rows', [field("it's")]],
    ['rows[""]', 'rows', [field('')]],
    ['rows["a}]b"].c', 'rows', [field('a}]b'), field('c')]],
    ['rows["\\u00e9\\n\\\\"]', 'rows', [field('é\n\\')]],
    ['30_days_ago', '30_days_ago', []],
    ['0_days_ago', '0_days_ago', []],
    ['36500_days_ago', '36500_days_ago', []],
    ['a.status', 'a', [field('status')]],
    ['true', 'true', []],
    ['a[007]', 'a', [index(7)]],
  ])('reads %s', (text, root, path) => {
    expect(parsed(parseReference(text))).toMatchObject({ root, path, offset: 0 });
  });

  it.each<[string, string]>([
    ['a["b"].c', 'a.b.c'],
    ["a['b c']", 'a["b c"]'],
    ['a["1st"]', 'a["1st"]'],
    ['a["-x"]', 'a["-x"]'],
    ['a[""]', 'a[""]'],
    ['a[007]', 'a[7]'],
    ["a['\"']", 'a["\\""]'],
  ])('gives %s the canonical text %s', (text, canonical) => {
    const reference = parsed(parseReference(text));
    expect(reference.text).toBe(canonical);
    expect(formatReference(reference)).toBe(canonical);
  });

  it.each<[string, number, string]>([
    ['', 0, 'the end of the text'],
    [' a', 0, 'a blank'],
    ['a ', 1, 'a blank'],
    ['a.', 2, 'the end of the text'],
    ['a..b', 2, '`.`'],
    ['.a', 0, '`.`'],
    ['a.b c', 3, 'a blank'],
    ['a\nb', 1, 'the end of the line'],
    ['a.é', 2, 'U+00E9'],
    ['a.👍', 2, 'U+1F44D'],
    ['a-b+c', 3, '`+`'],
    ['a[', 2, 'the end of the text'],
    ['a[]', 2, '`]`'],
    ['a[b]', 2, '`b`'],
    ['a[0', 1, 'not closed'],
    ['a[0.5]', 1, 'not closed'],
    ['a[*', 1, 'not closed'],
    ['a["b"', 1, 'not closed'],
    ['a["b', 2, 'never closed'],
    ['a["\\x"]', 3, 'not a known escape'],
    ['a["\\u12g4"]', 3, 'four hexadecimal digits'],
    ['a[-]', 3, 'A digit follows -'],
    ['a[-0]', 2, 'no element -0'],
    ['a[--1]', 3, 'A digit follows -'],
    ['30_days_aheads', 0, 'N_days_ahead'],
    ['36501_days_ahead', 0, '0 to 36500'],
    ['a[1234567890]', 2, 'at most 9 digits'],
    ['a.0', 2, 'cannot start with a digit'],
    ['a.0.b', 2, 'cannot start with a digit'],
    ['1a', 0, 'N_days_ago'],
    ['30_day_ago', 0, 'N_days_ago'],
    ['30_days_ago2', 0, 'N_days_ago'],
    ['30_days_ago-x', 0, 'N_days_ago'],
    ['36501_days_ago', 0, '0 to 36500'],
    ['999999_days_ago', 0, '0 to 36500'],
    ['030_days_ago', 0, 'leading zeros'],
    ['-1_days_ago', 0, '`-`'],
    ['{a}', 0, 'without braces'],
    ['a(b)', 1, '`(`'],
    ['a[0]b', 4, '`b`'],
  ])('refuses %j at %d: %s', (text, offset, reason) => {
    const problem = problemOf(parseReference(text));
    expect(problem.code).toBe('invalid_expression');
    expect(problem.offset).toBe(offset);
    expect(problem.message).toContain(reason);
  });

  it.each([
    ['a[-]', 'For example [-1] for the last element.'],
    ['a[-0]', 'Write [-1] for the last element, [0] for the first.'],
    ['a.2.b', 'Write [2] for an element of a list, ["2"] for a field.'],
    ['a.2nd', 'Write [0] for an element of a list, ["2nd"] for a field.'],
    ['{a}', 'Leave out { and }.'],
    ['30_days', 'For example {30_days_ago} or {30_days_ahead}.'],
    ['a[x]', 'For example [0], [-1], [*] or ["First name"]'],
  ])('says what to do about %s: %s', (text, advice) => {
    expect(problemOf(parseReference(text)).suggestion).toContain(advice);
  });

  it('takes 50 path segments, not 51', () => {
    expect(parsed(parseReference(`a${'[0]'.repeat(50)}`)).path).toHaveLength(50);
    const problem = problemOf(parseReference(`a${'.b'.repeat(51)}`));
    expect(problem).toMatchObject({ offset: 101, message: 'A reference has at most 50 path segments.' });
  });

  it('refuses a text above the limit', () => {
    expect(parsed(parseReference('a'.repeat(65_536))).path).toEqual([]);
    expect(problemOf(parseReference('a'.repeat(65_537))).offset).toBe(65_536);
  });

  it('reads what formatReference writes', () => {
    fc.assert(
      fc.property(anyReference, (reference) => {
        const text = formatReference(reference);
        expect(parsed(parseReference(text))).toEqual({ ...reference, text, offset: 0 });
      }),
    );
  });

  it('gives equal texts exactly to equal references', () => {
    fc.assert(
      fc.property(anyReference, anyReference, (left, right) => {
        const same = JSON.stringify([left.root, left.path]) === JSON.stringify([right.root, right.path]);
        expect(formatReference(left) === formatReference(right)).toBe(same);
      }),
    );
  });
});
