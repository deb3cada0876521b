import { ownField, type Json } from '../base/json';
import { collectNeededReferences, evaluateCondition, evaluateExpr, parseCondition } from '../expr/condition';
import { walkPath } from '../expr/reference';
import type { Expr, Lookup, Reference } from '../expr/types';
import { WorkMeter } from '../expr/work-meter';
import { fail } from './failure';
import type { FieldPath } from './field-path';
import type { OperationContext } from './operation';
import type { RemarkCounter } from './remarks';
import { describe, type Row } from './rows';

/** The expression's value for a row; the tally counts the row when it holds a value that cannot be used. */
export type RowValue = (row: Row, index: number, unusable: RemarkCounter) => Json;

/**
 * Compiles an expression of the condition language for use on many rows. `{name}` is a field of the row or,
 * where the row has none of that name, another input of the step; `{name.sub[0]}` goes into it.
 */
export function rowExpression(source: Json | undefined, rows: readonly Row[], context: OperationContext): RowValue {
  const expression = parse(source);
  remarkMissing(expression, rows, context);
  const meter = new WorkMeter(rows.length);
  return (row, index, unusable) => {
    const told = (values: readonly (Json | undefined)[]): void => unusable.add(index, values);
    return evaluateExpr(expression, lookupIn(row, context), context.exact, told, meter) ?? null;
  };
}

/** The same as a condition. Unusable values of a row that passes are not reported. */
export function rowCondition(
  source: Json | undefined,
  rows: readonly Row[],
  context: OperationContext,
): (row: Row, index: number, unusable: RemarkCounter) => boolean {
  const expression = parse(source);
  remarkMissing(expression, rows, context);
  const meter = new WorkMeter(rows.length);
  return (row, index, unusable) => {
    let strange: readonly (Json | undefined)[] | undefined;
    const told = (values: readonly (Json | undefined)[]): void => {
      strange ??= values;
    };
    const holds = evaluateCondition(expression, lookupIn(row, context), context.exact, told, meter);
    if (!holds && strange !== undefined) unusable.add(index, strange);
    return holds;
  };
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

function lookupIn(row: Row, { extra }: OperationContext): Lookup {
  return (reference) => walkPath(ownField(row, reference.root) ?? ownField(extra, reference.root), reference.path);
}

/** Fields that no row has, and inputs of the step without a value. */
function remarkMissing(expression: Expr, rows: readonly Row[], { extra, remarks }: OperationContext): void {
  if (rows.length === 0) return;
  for (const reference of collectNeededReferences(expression)) {
    const given = ownField(extra, reference.root);
    if (given === undefined) remarks.fields(rows, [pathOf(reference)]);
    else if (given === null && rows.every((row) => (ownField(row, reference.root) ?? null) === null)) {
      remarks.add('empty_input', `\`${reference.root}\` has no value.`, { field: reference.root });
    }
  }
}

/** The path up to a projection: the rest differs from element to element. */
function pathOf({ root, path }: Reference): FieldPath {
  const parts = [root];
  for (const segment of path) {
    if (segment.kind === 'each') break;
    parts.push(segment.kind === 'field' ? segment.name : String(segment.index));
  }
  return { name: parts.join('.'), parts };
}
