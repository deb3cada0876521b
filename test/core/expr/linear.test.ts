import { describe, expect, it } from '@jest/globals';
import { parseExpression } from '../../../core/expr/condition-parser';
import { Cursor } from '../../../core/expr/cursor';
import { scanReference } from '../../../core/expr/scan-reference';
import { scanTemplate } from '../../../core/expr/scan-template';

/** Texts that make careless parsers slow, as a function of their length. */
const SHAPES: [string, (length: number) => string][] = [
  ['plain', (n) => 'a'.repeat(n)],
  ['opening braces', (n) => '{'.repeat(n)],
  ['closing braces', (n) => '}'.repeat(n)],
  ['pairs of braces', (n) => '{}'.repeat(n / 2)],
  ['literal braces', (n) => '{ '.repeat(n / 2)],
  ['doubled pairs', (n) => '{{}}'.repeat(n / 4)],
  ['references', (n) => '{a}'.repeat(n / 3)],
  ['a long path', (n) => `{a${'.b'.repeat(n / 2)}`],
  ['braces and digits', (n) => `{${'1'.repeat(n)}`],
  ['many braces and digits', (n) => '{11111'.repeat(n / 6)],
  ['digits that look like days', (n) => '{1_day'.repeat(n / 6)],
  ['an open quote', (n) => `'${'\\n'.repeat(n / 2)}`],
  ['quotes', (n) => "''".repeat(n / 2)],
  ['quoted fields', (n) => `{a["${'x'.repeat(n)}`],
  ['parentheses', (n) => '('.repeat(n)],
  ['brackets', (n) => '['.repeat(n)],
  ['NOT', (n) => 'not '.repeat(n / 4)],
  ['minus', (n) => '-'.repeat(n)],
  ['blanks', (n) => ' '.repeat(n)],
  ['sums', (n) => '1+'.repeat(n / 2)],
  ['a list', (n) => `[${'1,'.repeat(n / 2)}`],
  ['a closed list', (n) => `[${'1,'.repeat(n / 2)}1]`],
  ['logic', (n) => '{a} and '.repeat(n / 8)],
  ['comparisons', (n) => '1 < '.repeat(n / 4)],
  ['calls', (n) => 'min(1,'.repeat(n / 6)],
  ['foreign operators', (n) => '&&'.repeat(n / 2)],
  ['names', (n) => 'a.'.repeat(n / 2)],
  ['exponents', (n) => '1e1'.repeat(n / 3)],
];
const SIZES = [1_000, 8_000, 64_000];

describe('reading takes time proportional to the length', () => {
  it.each(SHAPES)('of an expression: %s', (_name, make) => {
    for (const size of SIZES) {
      const text = make(size);
      const cursor = new Cursor(text);
      parseExpression(cursor);
      expect(cursor.steps).toBeLessThanOrEqual(2 * text.length + 10);
    }
  });

  it.each(SHAPES)('of a template: %s', (_name, make) => {
    for (const size of SIZES) {
      const text = make(size);
      const cursor = new Cursor(text);
      scanTemplate(cursor);
      expect(cursor.steps).toBeLessThanOrEqual(3 * text.length + 10);
    }
  });

  it.each(SHAPES)('of a reference: %s', (_name, make) => {
    for (const size of SIZES) {
      const cursor = new Cursor(make(size).replace(/^\{/, ''));
      scanReference(cursor);
      expect(cursor.steps).toBeLessThanOrEqual(cursor.text.length + 10);
    }
  });

  it('counts what it reads: a text that is read to its end costs at least its length', () => {
    const text = `[${'1,'.repeat(1_000)}1]`;
    const expression = new Cursor(text);
    expect(parseExpression(expression).ok).toBe(true);
    expect(expression.steps).toBeGreaterThanOrEqual(text.length);
    const cursor = new Cursor('x {a} '.repeat(1_000));
    expect(scanTemplate(cursor).ok).toBe(true);
    expect(cursor.steps).toBe(cursor.text.length);
  });
});
