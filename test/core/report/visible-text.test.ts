import { describe, expect, it } from '@jest/globals';
import { visibleText } from '../../../core/report/visible-text';

describe('a text that people read', () => {
  it.each([
    ['what turns the direction round', 'Acme \u202egnp.cod\u202c', 'Acme \\u202egnp.cod\\u202c'],
    ['isolates and marks', '\u2066a\u2069\u200e\u200f\u061c', '\\u2066a\\u2069\\u200e\\u200f\\u061c'],
    ['what takes no room', 'pay\u200bpal\u2060\ufeff\u00ad', 'pay\\u200bpal\\u2060\\ufeff\\u00ad'],
    ['fillers', 'a\u3164\u115f\u034f', 'a\\u3164\\u115f\\u034f'],
    ['a sign of Braille without a dot', 'a\u2800b', 'a\\u2800b'],
    ['tags', 'a\u{e0041}', 'a\\u{e0041}'],
    ['breaks of lines', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['controls', '\u0000\u001b[2J\u007f\u0085\r', '\\u0000\\u001b[2J\\u007f\\u0085\\u000d'],
    ['half a character', 'a\ud800', 'a\\ud800'],
    ['joiners between Latin letters', 'a\u200db\u200cc', 'a\\u200db\\u200cc'],
    ['a selector behind a letter', 'a\ufe0f', 'a\\ufe0f'],
  ])('shows %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    ['lines and tabs', 'a\n\tb'],
    ['a family', '👨‍👩‍👧 ❤️ 👩🏽‍🚀 1️⃣'],
    ['Persian', 'می\u200cخواهم'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['accents', 'e\u0301 ñ'],
    ['a variant of a Han character', '葛\u{e0100}'],
    ['signs of Arabic', '\u06dd'],
    ['blanks that are seen as blanks', 'a\u00a0b\u3000c'],
  ])('leaves %s', (_what, text) => {
    expect(visibleText(text)).toBe(text);
  });

  it('ends lines in one way', () => {
    expect(visibleText('a\r\nb')).toBe('a\nb');
  });
});
