import { shorten } from '../base/shorten';
import type { Expr } from './types';

/** An expression for a message: as it would be written, shortened. */
export function formatExpr(expr: Expr): string {
  return shorten(written(expr));
}

function written(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return typeof expr.value === 'string'
        ? `'${expr.value.replace(/['\\]/g, '\\$&')}'`
        : (expr.written ?? JSON.stringify(expr.value));
    case 'list':
      return `[${expr.items.map(written).join(', ')}]`;
    case 'ref':
      return `{${expr.ref.text}}`;
    case 'not':
      return `NOT ${written(expr.operand)}`;
    case 'negate':
      return `-${written(expr.operand)}`;
    case 'defined':
      return `${written(expr.operand)} is ${expr.negated ? 'not ' : ''}defined`;
    case 'call':
      return `${expr.name}(${expr.args.map(written).join(', ')})`;
    case 'logic':
      return `${written(expr.left)} ${expr.op.toUpperCase()} ${written(expr.right)}`;
    default:
      return `${written(expr.left)} ${expr.op} ${written(expr.right)}`;
  }
}
