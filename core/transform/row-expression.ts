import type { Json, JsonObject } from '../base/json';
import { ownField } from '../base/json';
import { evaluateExpr } from '../expr/evaluate';
import { parseCondition } from '../expr/parse-condition';
import type { Reference } from '../expr/types';
import { followPath } from '../expr/follow-path';
import { fail } from './failure';
import { describe, type Row } from './rows';

export type RowExpression = (row: Row) => Json;

/**
 * Compiles an expression of the condition language for use on many rows. `{name}` is a field of the row or,
 * where the row has none of that name, another input of the step; `{name.sub[0]}` goes into it.
 */
export function rowExpression(source: Json | undefined, extra: JsonObject): RowExpression {
  if (typeof source !== 'string') {
    fail('invalid_operation', `\`expression\` is ${describe(source)}: expected text such as "{revenue} - {expenses}".`);
  }
  const parsed = parseCondition(source);
  if (!parsed.ok) {
    const { message, offset } = parsed.problem;
    fail('invalid_operation', `\`expression\` cannot be read at character ${offset + 1}: ${message}`);
  }
  const expression = parsed.value;
  return (row) => evaluateExpr(expression, (reference) => lookup(row, extra, reference)) ?? null;
}

function lookup(row: Row, extra: JsonObject, reference: Reference): Json | undefined {
  return followPath(ownField(row, reference.root) ?? ownField(extra, reference.root), reference.path);
}
