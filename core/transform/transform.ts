import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import { fail, guarded, type TransformError } from './failure';
import type { OperationContext } from './operation';
import { OPERATIONS } from './operations';
import { Remarks } from './remarks';
import { toRows, type Row } from './rows';

/** `warnings`: only where there is something to say. */
export type TransformResult = { ok: true; data: Row[]; count: number; warnings?: JsonObject[] } | TransformError;

/**
 * Applies operations one after the other to a list of records. Pure, deterministic and total: the same input
 * gives the same output on every machine, and whatever is wrong comes back as `{ok: false, code, message}`.
 * Replay-sensitive: workflow code runs it inline.
 *
 * @param data list of records; lists of lists are joined, null elements are left out
 * @param operations list of `{type, ...params}`
 * @param extra the other inputs of the step: rows for `join` and `concat`, values for expressions
 * @param exact whether numbers are exact, for runs that began before they were
 * @param knownOnly whether warnings tell no guesses, for runs that began before they stopped
 */
export function transformData(
  data: Json,
  operations: Json,
  extra: JsonObject,
  exact: ExactNumbers = EXACT,
  knownOnly?: () => boolean,
): TransformResult {
  const remarks = new Remarks(knownOnly);
  const start = guarded('', () => ({ rows: toRows(data, 'data', remarks), steps: operationList(operations) }));
  if (!start.ok) {
    return start;
  }
  let rows = start.value.rows;
  for (let at = 0; at < start.value.steps.length; at += 1) {
    const params = start.value.steps[at] as JsonObject;
    const done = guarded(placeOf(at, params), () => applyOne(rows, params, at, { extra, exact, remarks }));
    if (!done.ok) {
      return done;
    }
    rows = done.value;
  }
  const warnings = remarks.list;
  return { ok: true, data: rows, count: rows.length, ...(warnings.length === 0 ? {} : { warnings }) };
}

function operationList(operations: Json): JsonObject[] {
  const list = isJsonObject(operations) ? [operations] : operations;
  if (!Array.isArray(list)) {
    fail('invalid_operations', '`operations` is no list: expected [{type: filter, ...}, ...].');
  }
  return list.map((element, at) =>
    isJsonObject(element)
      ? element
      : fail('invalid_operations', `operation ${at + 1} is no record: expected {type: filter, ...}.`),
  );
}

function placeOf(at: number, params: JsonObject): string {
  const type = ownField(params, 'type');
  return `operation ${at + 1}${typeof type === 'string' ? ` (${type.slice(0, 40)})` : ''}: `;
}

function applyOne(rows: Row[], params: JsonObject, at: number, context: OperationContext): Row[] {
  const type = ownField(params, 'type');
  const operation = typeof type === 'string' ? OPERATIONS.get(type) : undefined;
  if (typeof type !== 'string' || operation === undefined) {
    fail('unknown_operation', `\`type\` is no operation: expected one of ${[...OPERATIONS.keys()].join(', ')}.`);
  }
  context.remarks.begin(at, type);
  return operation(rows, params, context);
}
