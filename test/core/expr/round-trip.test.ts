import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { evaluateExpr, parseCondition } from '../../../core/expr/condition';
import { arity } from '../../../core/expr/functions';
import type { Expr } from '../../../core/expr/types';
import { anyExpr, anyScope } from './arbitraries';
import { print } from './print';
import { parsed, problemOf, scopeLookup } from './support';

/** Trees that the grammar can write: scalar literals that are no negative numbers, known functions, right arity. */
const writable = anyExpr.filter(isWritable);

function isWritable(expr: Expr): boolean {
  switch (expr.kind) {
    case 'literal':
      return typeof expr.value === 'number' ? expr.value >= 0 : typeof expr.value !== 'object' || expr.value === null;
    case 'ref':
      return true;
    case 'list':
      return expr.items.every(isWritable);
    case 'not':
    case 'negate':
    case 'defined':
      return isWritable(expr.operand);
    case 'call': {
      const count = arity(expr.name);
      const fits = count !== undefined && expr.args.length >= count.min && expr.args.length <= count.max;
      return fits && expr.args.every(isWritable);
    }
    default:
      return isWritable(expr.left) && isWritable(expr.right);
  }
}

/** Removes offsets, which depend on the text. */
function shape(expr: Expr): unknown {
  return JSON.parse(JSON.stringify(expr, (key, value: unknown) => (key === 'offset' ? undefined : value)));
}

describe('a tree that is written and read again', () => {
  it('is the same tree', () => {
    fc.assert(
      fc.property(writable, (expr) => {
        expect(shape(parsed(parseCondition(print(expr))))).toEqual(shape(expr));
      }),
      { numRuns: 500 },
    );
  });

  it('has the same value', () => {
    fc.assert(
      fc.property(writable, anyScope, (expr, scope) => {
        const again = parsed(parseCondition(print(expr)));
        expect(evaluateExpr(again, scopeLookup(scope))).toEqual(evaluateExpr(expr, scopeLookup(scope)));
      }),
      { numRuns: 500 },
    );
  });

  it('does not change with blanks and letter case', () => {
    fc.assert(
      fc.property(writable, (expr) => {
        const text = print(expr);
        expect(shape(parsed(parseCondition(`\n\t ${text} \r\n`)))).toEqual(shape(expr));
        expect(shape(parsed(parseCondition(`((${text}))`)))).toEqual(shape(expr));
      }),
    );
  });

  it('has its references where the text has them', () => {
    fc.assert(
      fc.property(writable, (expr) => {
        const text = print(expr);
        for (const { ref } of references(parsed(parseCondition(text)))) {
          expect(text.slice(ref.offset - 1, ref.offset + ref.text.length + 1)).toBe(`{${ref.text}}`);
        }
      }),
    );
  });
});

describe('a valid expression that is spoilt', () => {
  it('by a foreign character behind it has its problem exactly there', () => {
    fc.assert(
      fc.property(writable, fc.constantFrom('%', '?', ';', '@', '#', '}', ':', '\\', 'é'), (expr, bad) => {
        const text = print(expr);
        expect(problemOf(parseCondition(`${text} ${bad} 1`))).toMatchObject({ offset: text.length + 1 });
      }),
    );
  });

  it('by another value behind it has its problem exactly there', () => {
    fc.assert(
      fc.property(writable, fc.constantFrom('{a}', "'x'", '1', '(1)', 'true'), (expr, more) => {
        const text = print(expr);
        const problem = problemOf(parseCondition(`${text} ${more}`));
        expect(problem.offset).toBe(text.length + 1);
        expect(problem.message).toContain('Expected');
      }),
    );
  });

  it('by a missing operand has its problem at the end', () => {
    fc.assert(
      fc.property(writable, fc.constantFrom('AND', 'OR', '+', '*'), (expr, operator) => {
        const text = `(${print(expr)}) ${operator}`;
        expect(problemOf(parseCondition(text))).toMatchObject({ offset: text.length });
      }),
    );
  });

  it('by an open parenthesis names that parenthesis', () => {
    fc.assert(
      fc.property(writable, (expr) => {
        expect(problemOf(parseCondition(`true AND (${print(expr)}`))).toMatchObject({ offset: 9 });
      }),
    );
  });

  it('by cutting it anywhere gives a value or a problem inside what is left', () => {
    fc.assert(
      fc.property(writable, fc.nat(), (expr, pick) => {
        const text = print(expr);
        const cut = text.slice(0, pick % (text.length + 1));
        const result = parseCondition(cut);
        if (!result.ok) expect(result.problem.offset).toBeLessThanOrEqual(cut.length);
      }),
    );
  });
});

function references(expr: Expr): (Expr & { kind: 'ref' })[] {
  switch (expr.kind) {
    case 'literal':
      return [];
    case 'ref':
      return [expr];
    case 'list':
      return expr.items.flatMap(references);
    case 'call':
      return expr.args.flatMap(references);
    case 'not':
    case 'negate':
    case 'defined':
      return references(expr.operand);
    default:
      return [...references(expr.left), ...references(expr.right)];
  }
}
