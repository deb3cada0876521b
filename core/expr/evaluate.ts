import type { ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import { exactDecimal } from '../base/number-rule';
import { compare, orderOf } from './compare';
import { callFunction, ignoresNulls, mayFindNothing } from './functions';
import { choose, isChoice } from './functions/choices';
import { fitsCall } from './value-types';
import { MAX_DEPTH, MAX_OPERATORS } from './limits';
import { arithmetic, finite, type ArithmeticOp } from './numbers';
import { isTruthy } from './truthy';
import type { CompareOp, Expr, Lookup } from './types';
import type { WorkMeter } from './work-meter';

/** Height that no tree of the parser exceeds; deeper parts of a tree made by hand are null. */
const MAX_HEIGHT = MAX_OPERATORS + 2 * MAX_DEPTH;

type Value = Json | undefined;

/** Receives values that an operator or function cannot use: its result is null or false then. */
export type OnUnusable = (values: readonly Value[]) => void;

interface Given {
  lookup: Lookup;
  exact: ExactNumbers;
  meter: WorkMeter;
  unusable?: OnUnusable;
}

/**
 * The value of an expression; undefined only for a reference that is not defined.
 * @throws AppError `expression_too_large` from the meter, and nothing else by itself.
 */
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
      return compared(expr.op, valueOf(expr.left), valueOf(expr.right), given);
    case 'arith':
      return calculated(expr.op, valueOf(expr.left), valueOf(expr.right), given);
    case 'negate':
      return calculated('-', 0, valueOf(expr.operand), given);
    case 'defined':
      return isDefined(valueOf(expr.operand)) !== expr.negated;
    case 'call':
      if (isChoice(expr.name)) return choose(expr.args.map((operand) => () => valueOf(operand)));
      return called(expr.name, expr.args.map(valueOf), given);
    default:
      return null;
  }
}

function compared(op: CompareOp, left: Value, right: Value, given: Given): boolean {
  const holds = compare(op, left, right, given.exact);
  const isOrder = op === '<' || op === '<=' || op === '>' || op === '>=';
  if (given.unusable && !holds && isOrder && isDefined(left) && isDefined(right)) {
    if (orderOf(left, right, given.exact) === undefined) given.unusable([left, right]);
  }
  return holds;
}

function calculated(op: ArithmeticOp, left: Value, right: Value, given: Given): Value {
  const result = arithmetic(op, left, right, given.exact);
  if (given.unusable && result === null && isDefined(left) && isDefined(right)) {
    const strange = [left, right].filter((value) => exactDecimal(value) === undefined);
    if (strange.length > 0) given.unusable(strange);
  }
  return result;
}

function called(name: string, args: Value[], given: Given): Value {
  const result = callFunction(name, args, given.exact, given.meter);
  if (given.unusable && result === null && !(mayFindNothing(name) && fitsCall(name, args))) {
    // A null argument is why there is no value, but for a function that leaves nulls out.
    const holds = ignoresNulls(name) ? args.some(holdsSomething) : args.every(holdsSomething);
    if (holds) given.unusable(args);
  }
  return result;
}

function holdsSomething(value: Value): boolean {
  return Array.isArray(value) ? value.some(isDefined) : isDefined(value);
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
