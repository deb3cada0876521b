import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import {
  collectConditionReferences,
  evaluateCondition,
  evaluateExpr,
  parseCondition,
} from '../../../core/expr/condition';
import { problemText } from '../../../core/expr/problem-text';
import { parseReference } from '../../../core/expr/reference';
import { collectReferences, parseTemplate, renderTemplate, renderValue } from '../../../core/expr/template';
import type { ExprProblem, ParseResult } from '../../../core/expr/types';
import { anyExpr, anyJson, anyScope, nearlyText } from './arbitraries';
import { scopeLookup, template } from './support';

const anyText = fc.oneof(nearlyText, fc.string({ unit: 'binary' }), fc.string());
const RUNS = { numRuns: 300 };

/** No NaN, no infinity, no negative zero, no undefined inside, nothing that is not JSON. */
function isSound(value: Json | undefined): boolean {
  return value === undefined || Object.is(JSON.stringify(value), JSON.stringify(JSON.parse(JSON.stringify(value))));
}

function expectGoodProblem(text: string, problem: ExprProblem): void {
  expect(problem.code).toBe('invalid_expression');
  expect(problem.offset).toBeGreaterThanOrEqual(0);
  expect(problem.offset).toBeLessThanOrEqual(text.length);
  expect(problem.message.length).toBeGreaterThan(5);
  expect(problem.message.length).toBeLessThan(300);
  expect(problemText(text, problem)).toContain('^');
}

describe('any text', () => {
  const parsers: [string, (text: string) => ParseResult<unknown>][] = [
    ['parseReference', parseReference],
    ['parseTemplate', parseTemplate],
    ['parseCondition', parseCondition],
  ];

  it.each(parsers)('%s gives a result or one located problem, never throws', (_name, parse) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = parse(text);
        if (!result.ok) expectGoodProblem(text, result.problem);
      }),
      RUNS,
    );
  });

  it('that parses as an expression has a value on any data', () => {
    fc.assert(
      fc.property(anyText, anyScope, (text, scope) => {
        const result = parseCondition(text);
        if (result.ok) expect(isSound(evaluateExpr(result.value, scopeLookup(scope)))).toBe(true);
      }),
      RUNS,
    );
  });

  it('renders, and a text without references renders to the same twice', () => {
    fc.assert(
      fc.property(anyText, anyScope, (text, scope) => {
        const value = renderValue(text, scopeLookup(scope));
        expect(isSound(value)).toBe(true);
        if (!text.includes('{')) expect(value).toBe(text);
      }),
      RUNS,
    );
  });

  it('as JSON in a prompt survives, unless a brace meets a letter', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        fc.pre(!/\{[A-Za-z_0-9{]/.test(json));
        expect(renderValue(json, () => 'X')).toBe(json);
      }),
    );
  });

  it('as JSON with every brace doubled survives, where no brace stands in a string', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(withoutBraces(value), null, indent);
        expect(renderValue(doubled(json), () => 'X')).toBe(json);
      }),
    );
  });
});

describe('any tree on any data', () => {
  it('has a sound value, twice the same, and changes nothing', () => {
    fc.assert(
      fc.property(anyExpr, anyScope, (expr, scope) => {
        const before = JSON.stringify([expr, scope]);
        const value = evaluateExpr(expr, scopeLookup(scope));
        expect(isSound(value)).toBe(true);
        expect(evaluateExpr(expr, scopeLookup(scope))).toEqual(value);
        expect(typeof evaluateCondition(expr, scopeLookup(scope))).toBe('boolean');
        expect(JSON.stringify([expr, scope])).toBe(before);
      }),
      RUNS,
    );
  });

  it('asks the lookup only for references that are collected', () => {
    fc.assert(
      fc.property(anyExpr, anyScope, (expr, scope) => {
        const known = new Set(collectConditionReferences(expr).map((reference) => reference.text));
        const lookup = scopeLookup(scope);
        evaluateExpr(expr, (reference) => {
          expect(known.has(reference.text)).toBe(true);
          return lookup(reference);
        });
      }),
      RUNS,
    );
  });

  it('survives a journey through JSON, as a stored plan makes it', () => {
    fc.assert(
      fc.property(anyExpr, anyScope, (expr, scope) => {
        const stored = JSON.parse(JSON.stringify(expr)) as typeof expr;
        const lookup = scopeLookup(JSON.parse(JSON.stringify(scope)) as typeof scope);
        expect(evaluateExpr(stored, lookup)).toEqual(evaluateExpr(expr, scopeLookup(scope)));
      }),
      RUNS,
    );
  });
});

describe('any value that is placed', () => {
  it('is never parsed: whole, it is the value itself', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, nearlyText), (value) => {
        const asked: string[] = [];
        const result = renderTemplate(template('{a}'), (reference) => {
          asked.push(reference.text);
          return value;
        });
        expect(result).toBe(value);
        expect(asked).toEqual(['a']);
      }),
    );
  });

  it('is never parsed: in text, it stands between what was around it', () => {
    fc.assert(
      fc.property(nearlyText, (value) => {
        expect(renderTemplate(template('<{a}|{b}>'), () => value)).toBe(`<${value}|${value}>`);
      }),
    );
  });

  it('is asked for exactly where collectReferences says', () => {
    fc.assert(
      fc.property(fc.array(nearlyText), (texts) => {
        const asked = new Set<string>();
        renderValue(texts, (reference) => {
          asked.add(reference.text);
          return 1;
        });
        expect([...asked].sort()).toEqual(
          collectReferences(texts)
            .map((reference) => reference.text)
            .sort(),
        );
      }),
      RUNS,
    );
  });
});

function withoutBraces(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value).replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => text.replaceAll(/[{}]/g, '_')),
  ) as Json;
}

function doubled(json: string): string {
  return json.replaceAll('{', '{{').replaceAll('}', '}}');
}
