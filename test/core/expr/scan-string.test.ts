import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Cursor, isDigit, isNamePart, isNameStart, isSpace, isWordPart } from '../../../core/expr/cursor';
import { scanString } from '../../../core/expr/scan-string';
import { parsed, problemOf } from './support';

function read(text: string): { value: string; end: number } {
  const cursor = new Cursor(text);
  return { value: parsed(scanString(cursor)), end: cursor.position };
}

describe('scanString', () => {
  it.each([
    ["''", '', 2],
    ['""', '', 2],
    ["'a'", 'a', 3],
    ['"it\'s"', "it's", 6],
    ['\'say "x"\'', 'say "x"', 9],
    ["'a' + 'b'", 'a', 3],
    ["'\\''", "'", 4],
    ['"\\""', '"', 4],
    ["'\\\\'", '\\', 4],
    ["'\\n\\t\\r\\b\\f\\/'", '\n\t\r\b\f/', 14],
    ["'\\u00e9\\u00E9'", 'éé', 14],
    ["'\\ud83d\\udc4d'", '👍', 14],
    ["'\\ud83d'", '\ud83d', 8],
    ["'{a} {{ }'", '{a} {{ }', 10],
    ["'two\nlines'", 'two\nlines', 11],
    ["'👍'", '👍', 4],
  ])('%j reads %j', (text, value, end) => {
    expect(read(text)).toEqual({ value, end });
  });

  it.each([
    ["'", 0, 'never closed'],
    ["'abc", 0, 'never closed'],
    ['\'abc"', 0, 'never closed'],
    ["'a\\'", 0, 'never closed'],
    ["'a\\", 2, 'not a known escape'],
    ["'a\\x41'", 2, 'not a known escape'],
    ["'\\0'", 1, 'not a known escape'],
    ["'\\u12'", 1, 'four hexadecimal digits'],
    ["'\\u'", 1, 'four hexadecimal digits'],
    ["'\\u+123'", 1, 'four hexadecimal digits'],
    ["'\\u 123'", 1, 'four hexadecimal digits'],
    ["'ok\\uD83G'", 3, 'four hexadecimal digits'],
  ])('%j is refused at %d: %s', (text, offset, message) => {
    const problem = problemOf(scanString(new Cursor(text)));
    expect(problem.offset).toBe(offset);
    expect(problem.message).toContain(message);
  });

  it('reads whatever JSON writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = JSON.stringify(text);
        expect(read(json)).toEqual({ value: text, end: json.length });
      }),
    );
  });

  it('reads a text with only its quote and backslash escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('"', "'"), (text, quote) => {
        const written = quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
        expect(read(written).value).toBe(text);
      }),
    );
  });

  it('starts and ends where the cursor says', () => {
    const cursor = new Cursor("xx 'a' yy", 3);
    expect(parsed(scanString(cursor))).toBe('a');
    expect(cursor.position).toBe(6);
  });
});

describe('Cursor', () => {
  it('moves forward, counts, and stops at the end', () => {
    const cursor = new Cursor('ab1');
    expect(cursor.takeWhile(isNameStart)).toBe('ab');
    expect([cursor.position, cursor.steps, cursor.done]).toEqual([2, 2, false]);
    expect(cursor.peek()).toBe(49);
    expect(cursor.peek(1)).toBe(-1);
    expect(cursor.takeWhile(isDigit)).toBe('1');
    expect([cursor.position, cursor.steps, cursor.done]).toEqual([3, 3, true]);
    expect(cursor.peek()).toBe(-1);
    expect(cursor.takeWhile(() => true)).toBe('');
  });

  it('compares what stands at it', () => {
    const cursor = new Cursor('a==b', 1);
    expect(cursor.at('==')).toBe(true);
    expect(cursor.at('===')).toBe(false);
    expect(cursor.steps).toBe(0);
  });
});

describe('character classes', () => {
  const all = Array.from({ length: 0x250 }, (_, unit) => unit);
  const matching = (test: (unit: number) => boolean): string => String.fromCharCode(...all.filter(test));

  it('are ASCII and nothing else', () => {
    expect(matching(isDigit)).toBe('0123456789');
    expect(matching(isSpace)).toBe('\t\n\r ');
    expect(matching(isNameStart)).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');
    expect(matching(isWordPart)).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');
    expect(matching(isNamePart)).toBe('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');
  });

  it('do not hold for the end of a text', () => {
    for (const test of [isDigit, isSpace, isNameStart, isWordPart, isNamePart]) expect(test(-1)).toBe(false);
  });
});
