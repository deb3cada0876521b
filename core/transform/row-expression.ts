import type { ExactNumbers } from '../base/exact-numbers';
import { ownField, type Json, type JsonObject } from '../base/json';
import { evaluateCondition, evaluateExpr, parseCondition } from '../expr/condition';
import { walkPath } from '../expr/reference';
import type { Expr, Lookup } from '../expr/types';
import { fail } from './failure';
import { describe, type Row } from './rows';

/**
 * Compiles an expression of the condition language for use on many rows. `{name}` is a field of the row or,
 * where the row has none of that name, another input of the step; `{name.sub[0]}` goes into it.
 */
export function rowExpression(source: Json | undefined, extra: JsonObject, exact: ExactNumbers): (row: Row) => Json {
  const expression = parse(source);
  return (row) => evaluateExpr(expression, lookupIn(row, extra), exact) ?? null;
}

/** The same as a condition: true when the value is something (not null, false, 0 or empty). */
export function rowCondition(source: Json | undefined, extra: JsonObject, exact: ExactNumbers): (row: Row) => boolean {
  const expression = parse(source);
  return (row) => evaluateCondition(expression, lookupIn(row, extra), exact);
}

function parse(source: Json | undefined): Expr {
  if (typeof source !== 'string') {
    fail('invalid_operation', `\`expression\` is ${describe(source)}: expected text such as "{revenue} - {expenses}".`);
  }
  const parsed = parseCondition(source);
  if (!parsed.ok) {
    const { message, offset } = parsed.problem;
    fail('invalid_operation', `\`expression\` cannot be read at character ${offset + 1}: ${message}`);
  }
  return parsed.value;
}

function lookupIn(row: Row, extra: JsonObject): Lookup {
  return (reference) => walkPath(ownField(row, reference.root) ?? ownField(extra, reference.root), reference.path);
}
