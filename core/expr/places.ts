import type { Expr } from './types';

/** Beside the tree, so that equal expressions are equal wherever they stand. */
const places = new WeakMap<Expr, number>();

export function placed<T extends Expr>(expr: T, offset: number): T {
  places.set(expr, offset);
  return expr;
}

/** 0-based offset of an operator or of a function's name in the text; 0 where none is known. */
export function placeOf(expr: Expr): number {
  return places.get(expr) ?? 0;
}
