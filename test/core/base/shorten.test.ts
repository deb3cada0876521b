import { describe, expect, it } from '@jest/globals';
import { firstOf, shorten, shortenWithin } from '../../../core/base/shorten';

describe('a text for a message', () => {
  it.each([
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(60)}…`],
    [`${'x'.repeat(59)}😀y`, `${'x'.repeat(59)}…`],
  ])('%j', (text, shown) => expect(shorten(text)).toBe(shown));

  it('with a limit that the … is a part of, and no blank before it', () => {
    expect(shortenWithin('abcd', 4)).toBe('abcd');
    expect(shortenWithin('abcde', 4)).toBe('abc…');
    expect(shortenWithin('ab cde', 4)).toBe('ab…');
  });

  it('cuts no character in half', () => {
    expect(firstOf('a😀b', 2)).toBe('a');
    expect(firstOf('a😀b', 3)).toBe('a😀');
    expect(firstOf('a😀', 9)).toBe('a😀');
  });
});
