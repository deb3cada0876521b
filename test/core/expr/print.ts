import type { Expr } from '../../../core/expr/types';

/** Binding strength of a node; the operand of a stronger operator needs parentheses. */
const LEVEL = { or: 1, and: 2, not: 3, compare: 4, sum: 5, product: 6, negate: 7, primary: 8 };

function levelOf(expr: Expr): number {
  switch (expr.kind) {
    case 'logic':
      return LEVEL[expr.op];
    case 'not':
      return LEVEL.not;
    case 'compare':
    case 'defined':
      return LEVEL.compare;
    case 'arith':
      return expr.op === '+' || expr.op === '-' ? LEVEL.sum : LEVEL.product;
    case 'negate':
      return LEVEL.negate;
    default:
      return LEVEL.primary;
  }
}

/** Text of a tree, with parentheses only where the grammar needs them. Literals must be scalars. */
export function print(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return JSON.stringify(expr.value);
    case 'ref':
      return `{${expr.ref.text}}`;
    case 'list':
      return `[${expr.items.map(print).join(', ')}]`;
    case 'call':
      return `${expr.name}(${expr.args.map(print).join(', ')})`;
    case 'not':
      return `NOT ${within(expr.operand, LEVEL.not)}`;
    case 'negate':
      return `-${within(expr.operand, LEVEL.negate)}`;
    case 'defined':
      return `${within(expr.operand, LEVEL.sum)} is ${expr.negated ? 'not ' : ''}defined`;
    default:
      return binary(expr);
  }
}

function binary(expr: Expr & { kind: 'logic' | 'compare' | 'arith' }): string {
  const level = levelOf(expr);
  // Comparisons do not chain; everything else groups to the left.
  const left = within(expr.left, expr.kind === 'compare' ? LEVEL.sum : level);
  return `${left} ${expr.op} ${within(expr.right, level + 1)}`;
}

function within(expr: Expr, level: number): string {
  return levelOf(expr) < level ? `(${print(expr)})` : print(expr);
}
