import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import { parseExpression } from './condition-parser';
import { Cursor } from './cursor';
import { evaluate, type OnUnusable } from './evaluate';
import { memoized } from './memo';
import { isTruthy } from './truthy';
import type { Expr, Lookup, ParseResult, Reference } from './types';
import { WorkMeter } from './work-meter';

/** Parses a condition or any other expression; the grammar is in docs/expressions.md. */
export const parseCondition: (text: string) => ParseResult<Expr> = memoized((text) =>
  parseExpression(new Cursor(text)),
);

/**
 * True when the value of the expression is something: not null, false, 0, or an empty text, list or object.
 * @throws AppError `expression_too_large` as `evaluateExpr` does.
 */
export function evaluateCondition(
  expr: Expr,
  lookup: Lookup,
  exact: ExactNumbers = EXACT,
  unusable?: OnUnusable,
  meter?: WorkMeter,
): boolean {
  return isTruthy(evaluateExpr(expr, lookup, exact, unusable, meter));
}

/**
 * The value of an expression. Total: operands of the wrong type give null or false, as the documentation says
 * for each operator; NaN and infinity never appear. Undefined only for a lone reference that is not defined.
 * `unusable` is told of values that are there and of the wrong type.
 * @throws AppError `expression_too_large` when its functions would do more than the meter allows; nothing else.
 */
export function evaluateExpr(
  expr: Expr,
  lookup: Lookup,
  exact: ExactNumbers = EXACT,
  unusable?: OnUnusable,
  meter: WorkMeter = new WorkMeter(),
): Json | undefined {
  return evaluate(expr, unusable === undefined ? { lookup, exact, meter } : { lookup, exact, meter, unusable });
}

/** All references of an expression in reading order, each text once. */
export function collectConditionReferences(expr: Expr): Reference[] {
  return references(expr, operandsOf);
}

/** References whose value the expression counts on: not those of which it asks whether they are there. */
export function collectNeededReferences(expr: Expr): Reference[] {
  return references(expr, (node) => (asksForPresence(node) ? [] : operandsOf(node)));
}

function asksForPresence(node: Expr): boolean {
  if (node.kind === 'compare')
    return [node.left, node.right].some((side) => side.kind === 'literal' && side.value === null);
  return node.kind === 'defined' || (node.kind === 'call' && node.name === 'coalesce');
}

function references(expr: Expr, inner: (node: Expr) => Expr[]): Reference[] {
  const found = new Map<string, Reference>();
  const stack: Expr[] = [expr];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'ref' && !found.has(node.ref.text)) found.set(node.ref.text, node.ref);
    for (const operand of inner(node).reverse()) stack.push(operand);
  }
  return [...found.values()];
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
