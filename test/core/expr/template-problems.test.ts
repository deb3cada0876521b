import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseCondition } from '../../../core/expr/condition';
import { positionAt, problemText } from '../../../core/expr/problem-text';
import { formatReference, parseReference } from '../../../core/expr/reference';
import { parseTemplate } from '../../../core/expr/template';
import { anyReference } from './arbitraries';
import { parsed, problemOf } from './support';

/** A text with a mark ▲ in front of the character where the problem must be. */
function marked(text: string): { text: string; offset: number } {
  const offset = text.indexOf('▲');
  return { text: text.replace('▲', ''), offset };
}

describe('the place of a problem in a template', () => {
  it.each([
    'Dear {customer▲ name}',
    'Dear {customer.▲}',
    'Dear {customer.▲9lives}',
    'Dear {customer[▲}',
    'Dear {customer[▲]}',
    'Dear {customer▲[0}',
    'Dear {customer[-▲x]}',
    'Dear {customer[▲first]}',
    'Dear {customer[▲"name}',
    'Dear {customer["na▲\\me"]}',
    'Dear {customer▲',
    'Dear {customer▲\n}',
    'Dear {customer▲|upper}',
    'Dear {customer▲(1)}',
    'Dear {customer▲{x}}',
    'Dear {customer.name▲',
    'Dear {▲__proto__}',
    'Dear {a.▲constructor}',
    'Dear {a[▲"prototype"]}',
    '{ok} {{ok}} {"ok":1} {not▲ ok}',
    '{▲30_day_ago}',
    '{▲99999_days_ago}',
    'line 1\nline 2 {a}\nline 3 {b▲ c}\nline 4 {d e}',
    '👍👍 {a▲ b}',
  ])('%j', (text) => {
    const expected = marked(text);
    const problem = problemOf(parseTemplate(expected.text));
    expect(problem.offset).toBe(expected.offset);
    const shown = problemText(expected.text, problem).split('\n');
    expect(shown).toHaveLength(4);
    expect(shown[2]?.trim()).toBe('^');
  });

  it('is given as line and column', () => {
    const { text, offset } = marked('first\nsecond {a}\r\n  third {b▲ c}');
    expect(positionAt(text, problemOf(parseTemplate(text)).offset)).toEqual({ line: 3, column: 11 });
    expect(offset).toBe(text.indexOf('{b c}') + 2);
  });

  it('is that of the first problem', () => {
    expect(problemOf(parseTemplate('{a b} {c d}')).offset).toBe(2);
  });
});

describe('the place of a problem in an expression', () => {
  it.each([
    '{a} ▲= 1',
    '{a} ▲{b}',
    '{a} == ▲',
    '{a} == ▲ok',
    '{a} == ▲ok AND {b} = 1',
    '{a} AND ▲AND {b}',
    '{a} AND (▲)',
    '{a} AND ▲({b}',
    '({a} AND {b})▲)',
    '[1, 2 ▲3]',
    'min(1, ▲)',
    '▲mim(1)',
    'length(1)▲%2',
    '{a▲ } == 1',
    '{a.▲1} == 1',
    '{a} is ▲null',
    '{a} is not ▲null',
    '{a} not ▲= 1',
    "{a} == ▲'open",
    "{a} == 'bad ▲\\escape'",
    '1▲x',
    '{a}\nAND\n▲OR {b}',
    '1 < 2 ▲< 3',
    '▲!{a}',
  ])('%j', (text) => {
    const expected = marked(text);
    expect(problemOf(parseCondition(expected.text)).offset).toBe(expected.offset);
  });
});

describe('the same reference', () => {
  it('is read alike alone, in a template and in an expression', () => {
    fc.assert(
      fc.property(anyReference, (reference) => {
        const text = formatReference(reference);
        const alone = parsed(parseReference(text));
        const inBraces = { ...alone, offset: 1 };
        expect(parsed(parseTemplate(`{${text}}`))).toEqual({ kind: 'whole', ref: inBraces });
        expect(parsed(parseCondition(`{${text}}`))).toEqual({ kind: 'ref', ref: inBraces });
      }),
    );
  });

  it('is refused alike where it is refused', () => {
    const names = fc.constantFrom('constructor', '__proto__', 'prototype');
    const spoil = fc.constantFrom(
      (text: string, name: string) => `${text}.${name}`,
      (text: string, name: string) => `${text}["${name}"].x`,
      (text: string, name: string) => `${text}['${name}']`,
      (text: string, name: string) => `${text}["${escaped(name)}"]`,
      (text: string) => `${text}[-x]`,
      (text: string) => `${text}.1`,
    );
    fc.assert(
      fc.property(anyReference, names, spoil, (reference, name, make) => {
        const text = make(formatReference(reference), name);
        const alone = problemOf(parseReference(text));
        expect(problemOf(parseTemplate(`{${text}}`))).toMatchObject({
          offset: alone.offset + 1,
          message: alone.message,
        });
        expect(problemOf(parseCondition(`{${text}}`))).toMatchObject({
          offset: alone.offset + 1,
          message: alone.message,
        });
      }),
    );
  });
});

/** A name with every character as an escape: what is forbidden is the name, not its spelling. */
function escaped(name: string): string {
  return Array.from(name, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
