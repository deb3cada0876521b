import type { Json } from '../../../core/base/json';
import { evaluateCondition, evaluateExpr, parseCondition } from '../../../core/expr/condition';
import { walkPath } from '../../../core/expr/reference';
import { parseTemplate, renderTemplate } from '../../../core/expr/template';
import type { Expr, ExprProblem, Lookup, ParseResult, Template } from '../../../core/expr/types';

export interface Scope {
  [root: string]: Json;
}

/** A lookup over plain values, as the engine's scope does it. */
export function scopeLookup(scope: Scope): Lookup {
  return ({ root, path }) => (Object.hasOwn(scope, root) ? walkPath(scope[root], path) : undefined);
}

export function parsed<T>(result: ParseResult<T>): T {
  if (!result.ok) throw new Error(`${result.problem.message} at ${result.problem.offset}`);
  return result.value;
}

export function problemOf<T>(result: ParseResult<T>): ExprProblem {
  if (result.ok) throw new Error(`expected a problem, got ${JSON.stringify(result.value)}`);
  return result.problem;
}

export function expression(text: string): Expr {
  return parsed(parseCondition(text));
}

export function template(text: string): Template {
  return parsed(parseTemplate(text));
}

export function valueOf(text: string, scope: Scope = {}): Json | undefined {
  return evaluateExpr(expression(text), scopeLookup(scope));
}

export function isTrue(text: string, scope: Scope = {}): boolean {
  return evaluateCondition(expression(text), scopeLookup(scope));
}

export function rendered(text: string, scope: Scope = {}): Json | undefined {
  return renderTemplate(template(text), scopeLookup(scope));
}
