import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseCondition } from '../../../core/expr/condition';
import { positionAt, problemText } from '../../../core/expr/problem-text';
import { parseTemplate } from '../../../core/expr/template';
import type { ExprProblem } from '../../../core/expr/types';
import { problemOf } from './support';

const problem = (offset: number, suggestion?: string): ExprProblem => ({
  code: 'invalid_expression',
  message: 'Wrong here.',
  offset,
  ...(suggestion === undefined ? {} : { suggestion }),
});

describe('positionAt', () => {
  const text = 'ab\ncd\r\nef\rgh';

  it.each([
    [0, 1, 1],
    [1, 1, 2],
    [2, 1, 3],
    [3, 2, 1],
    [5, 2, 3],
    [7, 3, 1],
    [9, 3, 3],
    [10, 4, 1],
    [12, 4, 3],
  ])('offset %d is line %d, column %d', (offset, line, column) => {
    expect(positionAt(text, offset)).toEqual({ line, column });
  });

  it('stays inside the text', () => {
    expect(positionAt('ab', -5)).toEqual({ line: 1, column: 1 });
    expect(positionAt('ab', 99)).toEqual({ line: 1, column: 3 });
    expect(positionAt('', 0)).toEqual({ line: 1, column: 1 });
    expect(positionAt('\n\n', 2)).toEqual({ line: 3, column: 1 });
  });

  it('between CR and LF is still the line before', () => {
    expect(positionAt('a\r\nb', 2)).toEqual({ line: 1, column: 3 });
  });

  it('agrees with splitting into lines', () => {
    const lines = fc.array(fc.stringMatching(/^[a-z]{0,5}$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n', '\r'), fc.nat(), (parts, end, pick) => {
        const line = pick % parts.length;
        const column = pick % ((parts[line]?.length ?? 0) + 1);
        const offset = parts.slice(0, line).reduce((sum, part) => sum + part.length + end.length, 0) + column;
        expect(positionAt(parts.join(end), offset)).toEqual({ line: line + 1, column: column + 1 });
      }),
    );
  });
});

describe('problemText', () => {
  it('puts a caret under the place, with the advice below', () => {
    const text = '{pull.count} = 3';
    expect(problemText(text, problemOf(parseCondition(text)))).toBe(
      [
        'Here is `=`, which has no meaning in an expression.',
        '  {pull.count} = 3',
        '               ^',
        'Write == to compare.',
      ].join('\n'),
    );
  });

  it('shows the line of the place alone', () => {
    const text = 'First line\nand {this one\nlast';
    expect(
      problemText(text, problemOf(parseTemplate(text)))
        .split('\n')
        .slice(1, 3),
    ).toEqual(['  and {this one', '           ^']);
  });

  it('works at the end of the text', () => {
    expect(problemText('ab', problem(2))).toBe('Wrong here.\n  ab\n    ^');
    expect(problemText('', problem(0))).toBe('Wrong here.\n  \n  ^');
    expect(problemText('ab', problem(99, 'Do this.'))).toBe('Wrong here.\n  ab\n    ^\nDo this.');
  });

  it('shows tabs and control characters as blanks', () => {
    expect(problemText('a\tb\u0007c', problem(4))).toBe('Wrong here.\n  a b c\n      ^');
  });

  it('cuts a long line around the place', () => {
    const text = `${'x'.repeat(200)}!${'y'.repeat(200)}`;
    const [, line = '', caret = ''] = problemText(text, problem(200)).split('\n');
    expect(line.length).toBeLessThan(80);
    expect(line).toMatch(/^ {2}…x+!y+…$/);
    expect(line[caret.indexOf('^')]).toBe('!');
  });

  it('cuts only where there is something to cut', () => {
    const text = 'x'.repeat(100);
    expect(problemText(text, problem(0)).split('\n')[1]).toBe(`  ${'x'.repeat(72)}…`);
    expect(problemText(text, problem(99)).split('\n')[1]).toBe(`  …${'x'.repeat(72)}`);
  });

  it('always points at the character of the offset', () => {
    const line = fc.stringMatching(/^[ -~]{0,300}$/);
    fc.assert(
      fc.property(line, line, fc.nat(), (before, after, pick) => {
        const text = `${before}\n${after}`;
        const offset = pick % (text.length + 1);
        const [, shown = '', caret = ''] = problemText(text, problem(offset)).split('\n');
        const expected = offset === before.length ? undefined : text[offset];
        const at = shown[caret.indexOf('^')];
        expect(at === '…' ? undefined : at).toBe(expected);
      }),
    );
  });
});
