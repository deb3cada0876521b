import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseCondition } from '../../../core/expr/condition';
import { parseTemplate, renderValue } from '../../../core/expr/template';
import { parsed, rendered, valueOf } from './support';

/**
 * Oracles: the same question answered by something that shares no code with ours.
 * For arithmetic and logic that is the JavaScript engine, which binds the shared operators alike.
 */
const number = fc.integer({ min: 0, max: 9 }).map(String);
const arithmetic = fc.letrec<{ sum: string }>((tie) => ({
  sum: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    fc.tuple(tie('sum'), fc.constantFrom('+', '-', '*', '/'), tie('sum')).map((parts) => parts.join(' ')),
    tie('sum').map((inner) => `(${inner})`),
    tie('sum').map((inner) => `- ${inner}`),
  ),
})).sum;
const logic = fc.letrec<{ test: string }>((tie) => ({
  test: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(arithmetic, fc.constantFrom('==', '!=', '<', '<=', '>', '>='), arithmetic).map((parts) => parts.join(' ')),
    fc.tuple(tie('test'), fc.constantFrom('AND', 'OR'), tie('test')).map((parts) => parts.join(' ')),
    tie('test').map((inner) => `(${inner})`),
    tie('test').map((inner) => `NOT (${inner})`),
  ),
})).test;

/** Value by the engine; tests run no text but that of the generators above. */
function engineValue(text: string): unknown {
  const script = text.replaceAll('AND', '&&').replaceAll('OR', '||').replaceAll('NOT', '!');
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function(`return (${script});`)() as unknown;
}

describe('arithmetic', () => {
  it('binds and computes as the engine does', () => {
    fc.assert(
      fc.property(arithmetic, (text) => {
        fc.pre(!text.includes('/'));
        expect(valueOf(text)).toBe((engineValue(text) as number) + 0);
      }),
      { numRuns: 500 },
    );
  });

  it('is null where a division by zero is in it, else the value of the engine', () => {
    fc.assert(
      fc.property(arithmetic, (text) => {
        const expected = engineValue(text) as number;
        const value = valueOf(text);
        if (value === null) return;
        // Decimals are exact here, binary fractions are not.
        expect(Number(value)).toBeCloseTo(expected, 9);
      }),
      { numRuns: 500 },
    );
    for (const text of ['1 / 0', '1 + 1 / 0', '(1 / 0) * 0', '5 / (1 / 0)', '-(0 / 0)'])
      expect(valueOf(text)).toBeNull();
  });
});

describe('logic', () => {
  it('binds and decides as the engine does', () => {
    fc.assert(
      fc.property(logic, (text) => {
        fc.pre(!text.includes('/'));
        expect(valueOf(text)).toBe(engineValue(text));
      }),
      { numRuns: 500 },
    );
  });

  it('obeys the laws of logic', () => {
    fc.assert(
      fc.property(logic, logic, (a, b) => {
        expect(valueOf(`NOT ((${a}) AND (${b}))`)).toBe(valueOf(`(NOT (${a})) OR (NOT (${b}))`));
        expect(valueOf(`NOT ((${a}) OR (${b}))`)).toBe(valueOf(`(NOT (${a})) AND (NOT (${b}))`));
        expect(valueOf(`(${a}) AND (${b})`)).toBe(valueOf(`(${b}) AND (${a})`));
        expect(valueOf(`NOT NOT (${a})`)).toBe(valueOf(a));
      }),
    );
  });
});

/** Pieces of a template: how one is written, and what it renders to. */
interface Piece {
  text: string;
  value: string;
}
const plainText = fc.stringMatching(/^[ -z|~\n]{0,6}$/).map((text): Piece => ({ text, value: text }));
const placed = fc
  .tuple(fc.constantFrom('a', 'b.c', 'd[0]', 'e[*].f', '7_days_ago', 'g["x y"]'), fc.boolean())
  .map(([name]): Piece => ({ text: `{${name}}`, value: `<${name}>` }));
const json = fc
  .dictionary(fc.stringMatching(/^[a-z]{0,3}$/), fc.oneof(fc.nat(), fc.constant({}), fc.constant({ k: [{}] })))
  .map((value): Piece => ({ text: JSON.stringify(value), value: JSON.stringify(value) }));
const piece: fc.Arbitrary<Piece> = fc.letrec<{ piece: Piece }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plainText,
    placed,
    json,
    fc.array(tie('piece'), { maxLength: 3 }).map((inner): Piece => wrap('{{', joined(inner), '}}')),
    fc.array(tie('piece'), { maxLength: 3 }).map((inner): Piece => wrap('{ ', joined(inner), '}')),
  ),
})).piece;

function joined(pieces: Piece[]): Piece {
  return { text: pieces.map(({ text }) => text).join(''), value: pieces.map(({ value }) => value).join('') };
}

function wrap(open: string, inner: Piece, close: string): Piece {
  const outer = open === '{{' ? '{' : open;
  return { text: open + inner.text + close, value: `${outer}${inner.value}}` };
}

/** A `{{` whose content begins with a brace reads as more opening braces: not what the generator means. */
function isAmbiguous(text: string): boolean {
  return text.includes('{{{');
}

describe('templates', () => {
  it('render piece by piece: text, references, JSON and escaped braces in any nesting', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const { text, value } = joined(pieces);
        fc.pre(!isAmbiguous(text));
        expect(renderValue(`.${text}`, (reference) => `<${reference.text}>`)).toBe(`.${value}`);
      }),
      { numRuns: 1_000 },
    );
  });

  it('have exactly the references that were written, at their places', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const { text } = joined(pieces);
        fc.pre(!isAmbiguous(text));
        const result = parsed(parseTemplate(text));
        const references = result.kind === 'text' ? result.parts.filter((part) => typeof part !== 'string') : [];
        for (const { text: name, offset } of references) {
          expect(text.slice(offset - 1, offset + name.length + 1)).toBe(`{${name}}`);
        }
      }),
    );
  });

  it('of one reference are the value, with anything beside it they are text', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ -z|~]{1,4}$/),
        fc.constantFrom<number | boolean | null>(1, true, null),
        (text, value) => {
          expect(rendered('{a}', { a: value })).toBe(value);
          expect(rendered(`{a}${text}`, { a: value })).toBe(`${value ?? ''}${text}`);
          expect(rendered(`${text}{a}`, { a: value })).toBe(`${text}${value ?? ''}`);
        },
      ),
    );
  });
});

describe('parsing in any order', () => {
  it('gives the same as parsing alone: no state leaks from one text to the next', () => {
    const texts = ['{a} > 1', '{a} >', '(((', "'open", '1 + 1', 'not', '{a.b[', '[1, [2]]', ''];
    const alone = texts.map((text) => JSON.stringify(parseCondition(text)));
    fc.assert(
      fc.property(fc.array(fc.nat({ max: texts.length - 1 }), { maxLength: 20 }), (order) => {
        for (const index of order) expect(JSON.stringify(parseCondition(texts[index] ?? ''))).toBe(alone[index]);
      }),
    );
  });
});
