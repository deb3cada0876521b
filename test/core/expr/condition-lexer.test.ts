import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { scanTokens, type Token } from '../../../core/expr/condition-lexer';
import { Cursor } from '../../../core/expr/cursor';
import { nearlyText } from './arbitraries';

const tokensOf = (text: string): Token[] => scanTokens(new Cursor(text));

/** Kind, content and offset of a token in short. */
function brief(token: Token): string {
  switch (token.kind) {
    case 'number':
      return `${token.value}@${token.offset}`;
    case 'string':
      return `${JSON.stringify(token.value)}@${token.offset}`;
    case 'ref':
      return `{${token.ref.text}}@${token.offset}`;
    case 'word':
      return `${token.word}@${token.offset}`;
    case 'symbol':
      return `${token.symbol}@${token.offset}`;
    default:
      return `end@${token.offset}${token.problem === undefined ? '' : '!'}`;
  }
}

describe('scanTokens', () => {
  it.each([
    ['', ['end@0']],
    ['  ', ['end@2']],
    ['{a} >= 1', ['{a}@0', '>=@4', '1@7', 'end@8']],
    ['{a}>=1', ['{a}@0', '>=@3', '1@5', 'end@6']],
    ['1-2', ['1@0', '-@1', '2@2', 'end@3']],
    ['-1.5e-3', ['-@0', '0.0015@1', 'end@7']],
    ['1 e 3', ['1@0', 'e@2', '3@4', 'end@5']],
    ['<<=', ['<@0', '<=@1', 'end@3']],
    ['====', ['end@0!']],
    ['==', ['==@0', 'end@2']],
    ['!=', ['!=@0', 'end@2']],
    ['IS Not deFined', ['is@0', 'not@3', 'defined@7', 'end@14']],
    ['min({a.b},[1])', ['min@0', '(@3', '{a.b}@4', ',@9', '[@10', '1@11', ']@12', ')@13', 'end@14']],
    ["'a''b'", ['"a"@0', '"b"@3', 'end@6']],
    ['a-b', ['a@0', '-@1', 'b@2', 'end@3']],
    ['{a-b}', ['{a-b}@0', 'end@5']],
    ['{a}{b}', ['{a}@0', '{b}@3', 'end@6']],
    ['{a["}"]} + 1', ['{a["}"]}@0', '+@9', '1@11', 'end@12']],
    ['1 = 2', ['1@0', 'end@2!']],
    ['{a} {b', ['{a}@0', 'end@6!']],
    ["x 'y", ['x@0', 'end@2!']],
    ['1 2a', ['1@0', 'end@3!']],
    ['1\n+\r\n2', ['1@0', '+@2', '2@5', 'end@6']],
  ])('of %j', (text, expected) => {
    expect(tokensOf(text).map(brief)).toEqual(expected);
  });

  it('keeps the spelling of a word', () => {
    expect(tokensOf('LENGTH')[0]).toEqual({ kind: 'word', offset: 0, word: 'length', text: 'LENGTH' });
  });

  it('always ends with exactly one end token, with rising offsets inside the text', () => {
    fc.assert(
      fc.property(nearlyText, (text) => {
        const tokens = tokensOf(text);
        expect(tokens.filter((token) => token.kind === 'end')).toHaveLength(1);
        expect(tokens.at(-1)?.kind).toBe('end');
        for (let index = 1; index < tokens.length; index++) {
          expect(tokens[index]?.offset).toBeGreaterThan(tokens[index - 1]?.offset ?? 0);
        }
        expect(tokens.at(-1)?.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('reads every number that the platform writes', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(tokensOf(String(value)).map(brief)).toEqual([`${value + 0}@0`, `end@${String(value).length}`]);
      }),
    );
  });
});
