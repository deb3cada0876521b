import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../../core/base/json';
import { evaluateExpr, parseCondition } from '../../../../core/expr/condition';
import { AppError } from '../../../../core/errors/app-error';
import { arity, callFunction, functionNames } from '../../../../core/expr/functions';
import { scopeLookup, type Scope } from '../support';

const long = 'a'.repeat(1_000_000);

function codeOf(text: string, scope: Scope = {}): string {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problem.message}`);
  try {
    evaluateExpr(parsed.value, scopeLookup(scope));
    return 'no error';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('what a function would read or make too much of', () => {
  it.each([
    ['range(1000000000)'],
    ["pad('a', 1000000000)"],
    ["pad('a', 1e15)"],
    ['range(0, 9007199254740991)'],
    ["replace({long}, 'a', {long})"],
    [`concat(${Array(99).fill('{long}').join(', ')})`],
    ["join(split({long}, ''), {long})"],
    [`[${Array(70).fill('upper({long})').join(', ')}]`],
    ["matches({long}, '(a{0,31}){0,32}$')"],
    [`[${Array(200).fill("extract({long}, '(x+x+)+y')").join(', ')}]`],
    [`zip(${Array(99).fill('split({long}, "")').join(', ')})`],
  ])('%s ends with expression_too_large', (text) => {
    expect(codeOf(text, { long })).toBe('expression_too_large');
  });

  it.each([['sha256({long})'], ['base64({long})'], ["matches({long}, '(a+)+$')"], ['range(1000000)']])(
    '%s is no problem',
    (text) => {
      expect(codeOf(text, { long })).toBe('no error');
    },
  );
});

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(
    '2024-02-29',
    '2024-02-29T10:00:00Z',
    'YYYY-MM-DD',
    'months',
    '(a|b)*',
    '12345678901234567890',
    'de',
    1e308,
    -1,
  ),
  fc.integer({ min: -1e10, max: 1e10 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

describe('any function of any values', () => {
  it('has a value that is data, the same each time, or says that it is too much', () => {
    const call = fc
      .constantFrom(...functionNames())
      .chain((name) =>
        fc.tuple(
          fc.constant(name),
          fc.array(value, { minLength: arity(name)?.min ?? 0, maxLength: Math.min(arity(name)?.max ?? 0, 5) }),
        ),
      );
    fc.assert(
      fc.property(call, ([name, args]) => {
        const once = outcome(name, args);
        expect(once).toEqual(outcome(name, args));
        if (once !== 'expression_too_large') expect(JSON.parse(JSON.stringify(once))).toEqual(once);
      }),
      { numRuns: 2_000 },
    );
  });
});

function outcome(name: string, args: Json[]): Json {
  try {
    return callFunction(name, args);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
