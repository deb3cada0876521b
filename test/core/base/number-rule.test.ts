import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseExactJson } from '../../../core/base/exact-json';
import { isExactDouble, isNumeric, keptNumber, numberOrText, readNumber } from '../../../core/base/number-rule';
import { numberSpelling, sameValue } from './numbers';

describe('the rule for numbers', () => {
  it('a number comes through with its value: as number where a double gives it back, else as the written text', () => {
    fc.assert(
      fc.property(numberSpelling, (text) => {
        const found = numberOrText(text);
        expect(sameValue(found, text)).toBe(true);
        if (typeof found === 'string') expect([found, isNumeric(found)]).toEqual([text, true]);
      }),
    );
  });

  it.each([
    ['1.10', 1.1],
    ['0.1', 0.1],
    ['-0', 0],
    ['12e3', 12000],
    ['1e21', 1e21],
    ['9007199254740991', 9007199254740991],
    // A whole number beyond 2^53 is text in any case: a column of identifiers keeps one type.
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['5.00000000000000000000', 5],
    ['1e400', '1e400'],
    ['1e-400', '1e-400'],
    ['1.7976931348623157e308', 1.7976931348623157e308],
  ])('%s is %p', (text, wanted) => {
    expect(numberOrText(text)).toBe(wanted);
  });

  it('reads what people write; no separators, no other systems', () => {
    expect(readNumber(' +.50 ')).toBe(0.5);
    expect(readNumber('-007.')).toBe(-7);
    expect(readNumber('0009007199254740993')).toBe('9007199254740993');
    for (const text of ['', '.', '1,5', '1_000', '0x1F', '1e', '--1', 'Infinity'])
      expect(readNumber(text)).toBeUndefined();
  });

  it('knows a kept text by its spelling: a short one, one with leading zeros or a word is none', () => {
    expect(keptNumber('9007199254740993')).toBeDefined();
    for (const text of [
      '5',
      '1e5',
      '0009007199254740993',
      '+9007199254740993',
      '9007199254740993x',
      '12E3',
      '2024-11-29',
    ])
      expect([text, keptNumber(text)]).toEqual([text, undefined]);
  });

  it('JSON is parsed by it, in any place; digits inside of texts stay', () => {
    fc.assert(
      fc.property(fc.array(numberSpelling, { maxLength: 5 }), fc.string(), (spellings, text) => {
        const word = `${text}, ${spellings.join(', ')}`;
        const json = `{"a": [${spellings.join(',')}], ${JSON.stringify(word)}: ${JSON.stringify(word)}}`;
        const found = parseExactJson(json) as Record<string, unknown>;
        expect(found[word]).toBe(word);
        expect((found['a'] as unknown[]).every((value, at) => sameValue(value, spellings[at] ?? ''))).toBe(true);
      }),
    );
    expect(parseExactJson('1e400')).toBe('1e400');
    expect(parseExactJson('{"n":9007199254740993,"long":12345678901234567890123,"d":0.1234567890123456789}')).toEqual({
      n: '9007199254740993',
      long: '12345678901234567890123',
      d: '0.1234567890123456789',
    });
    expect(isExactDouble('1e0000400')).toBe(false);
    expect(parseExactJson('["12345678901234567890","\\\\",-9007199254740993,"\\"9007199254740993"]')).toEqual([
      '12345678901234567890',
      '\\',
      '-9007199254740993',
      '"9007199254740993',
    ]);
    expect(() => parseExactJson('{"a": 01}')).toThrow(SyntaxError);
  });

  it('a text of millions of escapes does not hide a number behind it', () => {
    const lines = 'a line\n'.repeat(6_000_000);
    const found = parseExactJson(`{"lines":${JSON.stringify(lines)},"n":9007199254740993}`) as Record<string, unknown>;
    expect([found['n'], found['lines'] === lines]).toEqual(['9007199254740993', true]);
  });
});
