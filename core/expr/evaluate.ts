import type { ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import { compare } from './compare';
import { callFunction } from './functions';
import { MAX_DEPTH, MAX_OPERATORS } from './limits';
import { arithmetic, finite } from './numbers';
import { isTruthy } from './truthy';
import type { Expr, Lookup } from './types';

/** No tree of the parser is higher; a tree made by hand that is has the value null beyond. */
const MAX_HEIGHT = MAX_OPERATORS + 2 * MAX_DEPTH;

type Value = Json | undefined;

interface Given {
  lookup: Lookup;
  exact: ExactNumbers;
}

/** The value of an expression. Never throws by itself; undefined only for a reference that is not defined. */
export function evaluate(expr: Expr, given: Given, height = 0): Value {
  if (height > MAX_HEIGHT) return null;
  const valueOf = (operand: Expr): Value => evaluate(operand, given, height + 1);
  switch (expr.kind) {
    case 'literal':
      return expr.written !== undefined && given.exact() ? expr.written : expr.value;
    case 'list':
      return expr.items.map((item) => valueOf(item) ?? null);
    case 'ref':
      return sound(given.lookup(expr.ref));
    case 'not':
      return !isTruthy(valueOf(expr.operand));
    case 'logic':
      return logic(expr.op, isTruthy(valueOf(expr.left)), () => isTruthy(valueOf(expr.right)));
    case 'compare':
      return compare(expr.op, valueOf(expr.left), valueOf(expr.right), given.exact);
    case 'arith':
      return arithmetic(expr.op, valueOf(expr.left), valueOf(expr.right), given.exact);
    case 'negate':
      return arithmetic('-', 0, valueOf(expr.operand), given.exact);
    case 'defined':
      return isDefined(valueOf(expr.operand)) !== expr.negated;
    case 'call':
      return callFunction(expr.name, expr.args.map(valueOf), given.exact);
    default:
      return null;
  }
}

function logic(op: 'and' | 'or', left: boolean, right: () => boolean): boolean {
  return op === 'and' ? left && right() : left || right();
}

/** A null is not defined: it is what a skipped step, a missing field or an empty answer leaves behind. */
function isDefined(value: Value): boolean {
  return value !== undefined && value !== null;
}

function sound(value: Value): Value {
  return typeof value === 'number' ? finite(value) : value;
}
