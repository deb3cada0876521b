import type { Json } from '../base/json';
import { collectConditionReferences, evaluateCondition } from './condition';
import type { Expr, Reference } from './types';

/** Replay-sensitive. Knowledge of a value: the value itself (undefined: it is not there), or undefined where nothing is known. */
export type Knowledge = (ref: Reference) => { value: Json | undefined } | undefined;

/** Result of a condition that does not depend on the unknown values; undefined = it does. */
export function decideCondition(expr: Expr, known: Knowledge): boolean | undefined {
  if (expr.kind === 'not') {
    const inner = decideCondition(expr.operand, known);
    return inner === undefined ? undefined : !inner;
  }
  if (expr.kind === 'logic') {
    const sides = [decideCondition(expr.left, known), decideCondition(expr.right, known)];
    const decisive = expr.op === 'or';
    if (sides.includes(decisive)) return decisive;
    return sides.includes(undefined) ? undefined : !decisive;
  }
  if (collectConditionReferences(expr).some((ref) => known(ref) === undefined)) return undefined;
  try {
    return evaluateCondition(expr, (ref) => known(ref)?.value);
  } catch {
    // Too much for the meter: the run cannot judge it either.
    return undefined;
  }
}
