import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import { parseExpression } from './condition-parser';
import { evaluate } from './evaluate';
import { memoized } from './memo';
import { isTruthy } from './truthy';
import type { Expr, Lookup, ParseResult, Reference } from './types';

/** Parses a condition or any other expression; the grammar is in docs/expressions.md. */
export const parseCondition: (text: string) => ParseResult<Expr> = memoized((text) => parseExpression(text));

/** True when the value of the expression is something: not null, false, 0, or an empty text, list or object. */
export function evaluateCondition(expr: Expr, lookup: Lookup, exact: ExactNumbers = EXACT): boolean {
  return isTruthy(evaluate(expr, { lookup, exact }));
}

/**
 * The value of an expression. Total: operands of the wrong type give null or false, as the documentation says
 * for each operator; NaN and infinity never appear. Undefined only for a lone reference that is not defined.
 */
export function evaluateExpr(expr: Expr, lookup: Lookup, exact: ExactNumbers = EXACT): Json | undefined {
  return evaluate(expr, { lookup, exact });
}

/** All references of an expression in reading order, each text once. */
export function collectConditionReferences(expr: Expr): Reference[] {
  const references = new Map<string, Reference>();
  const stack: Expr[] = [expr];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'ref' && !references.has(node.ref.text)) references.set(node.ref.text, node.ref);
    for (const operand of operandsOf(node).reverse()) stack.push(operand);
  }
  return [...references.values()];
}

function operandsOf(node: Expr): Expr[] {
  switch (node.kind) {
    case 'literal':
    case 'ref':
      return [];
    case 'list':
      return [...node.items];
    case 'call':
      return [...node.args];
    case 'not':
    case 'negate':
    case 'defined':
      return [node.operand];
    case 'logic':
    case 'compare':
    case 'arith':
      return [node.left, node.right];
    default:
      return [];
  }
}
