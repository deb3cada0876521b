import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { functionNames } from '../../../core/expr/functions';
import { formatReference } from '../../../core/expr/reference';
import type { CompareOp, Expr, PathSegment, Reference } from '../../../core/expr/types';

const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

/** Values as they are after writing and reading: JSON's own writer has no negative zero. */
export const anyJson = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

const anyName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/).filter((name) => !FORBIDDEN.includes(name));
const anyFieldName = fc
  .oneof(anyName, fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 }))
  .filter((name) => !FORBIDDEN.includes(name));

const anySegment: fc.Arbitrary<PathSegment> = fc.oneof(
  anyFieldName.map((name): PathSegment => ({ kind: 'field', name })),
  fc.nat({ max: 999_999_999 }).map((index): PathSegment => ({ kind: 'index', index })),
  fc.constant<PathSegment>({ kind: 'each' }),
);

export const anyReference: fc.Arbitrary<Pick<Reference, 'root' | 'path'>> = fc.record({
  root: fc.oneof(
    anyName,
    fc.nat({ max: 36_500 }).map((days) => `${days}_days_ago`),
  ),
  path: fc.array(anySegment, { maxLength: 6 }),
});

/** Short paths over few names, so that they often meet the values of `anyScope`. */
const nearReference: fc.Arbitrary<Reference> = fc
  .record({
    root: fc.constantFrom('a', 'b', 'c'),
    path: fc.array(
      fc.oneof(
        fc.constantFrom('a', 'b', 'length').map((name): PathSegment => ({ kind: 'field', name })),
        fc.nat({ max: 2 }).map((index): PathSegment => ({ kind: 'index', index })),
        fc.constant<PathSegment>({ kind: 'each' }),
      ),
      { maxLength: 3 },
    ),
  })
  .map((reference) => ({ ...reference, text: formatReference(reference), offset: 0 }));

/** Values with short keys, lists, dates and numbers at the edges. */
const nearValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(
      null,
      true,
      false,
      0,
      1,
      -0.5,
      1e308,
      -1e308,
      5e-324,
      '',
      '0',
      '12.5',
      '2024-02-29',
      '{a}',
      'a',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'length', '__proto__'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

export const anyScope = fc.record({ a: nearValue, b: nearValue }, { requiredKeys: [] });

const COMPARISONS: readonly CompareOp[] = ['==', '!=', '<', '<=', '>', '>=', 'in', 'contains'];

/** Any tree of the language, also such as the parser never makes (wrong arity, unknown function). */
export const anyExpr: fc.Arbitrary<Expr> = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    nearValue.map((value): Expr => ({ kind: 'literal', value })),
    nearReference.map((ref): Expr => ({ kind: 'ref', ref })),
    fc.array(tie('expr'), { maxLength: 3 }).map((items): Expr => ({ kind: 'list', items })),
    tie('expr').map((operand): Expr => ({ kind: 'not', operand })),
    tie('expr').map((operand): Expr => ({ kind: 'negate', operand })),
    fc.tuple(tie('expr'), fc.boolean()).map(([operand, negated]): Expr => ({ kind: 'defined', operand, negated })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), tie('expr'), tie('expr'))
      .map(([op, left, right]): Expr => ({ kind: 'logic', op, left, right })),
    fc
      .tuple(fc.constantFrom(...COMPARISONS), tie('expr'), tie('expr'))
      .map(([op, left, right]): Expr => ({ kind: 'compare', op, left, right })),
    fc
      .tuple(fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const), tie('expr'), tie('expr'))
      .map(([op, left, right]): Expr => ({ kind: 'arith', op, left, right })),
    fc
      .tuple(fc.constantFrom(...functionNames(), 'unknown', 'toString'), fc.array(tie('expr'), { maxLength: 3 }))
      .map(([name, args]): Expr => ({ kind: 'call', name, args })),
  ),
})).expr;

/** Texts that look like the language: its tokens in any order, with noise between them. */
export const nearlyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('{a}', '{a.b[0]}', '{b[*].a}', '{30_days_ago}', "'x'", '"y"', '1', '2.5', '1e3', 'true', 'null'),
      fc.constantFrom(' AND ', ' or ', 'not ', ' is defined', ' is not defined', ' in ', ' not in ', ' contains '),
      fc.constantFrom(
        '==',
        '!=',
        '<',
        '>=',
        '+',
        '-',
        '*',
        '/',
        '(',
        ')',
        '[',
        ']',
        ',',
        ' ',
        'min(',
        'length(',
        'text(',
      ),
      fc.constantFrom(
        '{',
        '}',
        '{{',
        '}}',
        '"',
        "'",
        '\\',
        '=',
        '&&',
        '!',
        '.',
        '$',
        '\n',
        'é',
        '\ud83d',
        '{a.',
        '{a[',
        '\u0000',
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));
