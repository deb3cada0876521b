import { compareDecimals } from '../base/decimal';
import { isJsonObject, ownField, type Json } from '../base/json';
import { exactDecimal } from '../base/number-rule';
import { deepEqual } from '../expr/compare';
import { callFunction } from '../expr/functions';
import { shorten } from '../base/shorten';
import { describeValue, inputTypeProblem } from './input-value';
import type { InputDeclaration, InputField, InputRules, InputType } from './types';

type Ruled = Pick<InputDeclaration, 'type'> & InputRules;

/**
 * Describes the fault of a given value, as the rest of a sentence; undefined = none. The same at saving and at the
 * start of a run.
 */
export function inputProblem(value: Json, input: Ruled): string | undefined {
  return (
    inputTypeProblem(value, input.type) ??
    ofEnum(value, input.enum) ??
    ofRange(value, input) ??
    ofPattern(value, input.pattern) ??
    ofFields(value, input.fields)
  );
}

function ofEnum(value: Json, choices: Json[] | undefined): string | undefined {
  if (choices === undefined || choices.some((choice) => deepEqual(choice, value))) return undefined;
  const shown = choices.slice(0, 20).map((choice) => shorten(JSON.stringify(choice)));
  return `is ${describeValue(value)}, but one of ${shown.join(', ')} is expected`;
}

/** Bounds are inclusive: of a number and a date its value, of a text its characters, of a list its elements. */
function ofRange(value: Json, { type, min, max }: Ruled): string | undefined {
  const low = min !== undefined && order(value, min, type) < 0;
  const high = max !== undefined && order(value, max, type) > 0;
  if (!low && !high) return undefined;
  const unit = type === 'list' ? ' elements' : type === 'string' || type === 'entity_name' ? ' characters' : '';
  const bound = low ? `at least ${String(min)}` : `at most ${String(max)}`;
  if (unit === '') return `is ${describeValue(value)}, but ${bound} is expected`;
  return `is ${describeValue(value)} with ${sizeOf(value)}${unit}, but ${bound} are expected`;
}

function order(value: Json, bound: number | string, type: InputType): number {
  if (typeof bound === 'string') {
    const day = typeof value === 'string' ? value.slice(0, 10) : '';
    return day < bound ? -1 : day > bound ? 1 : 0;
  }
  if (type !== 'number' && type !== 'integer') return sizeOf(value) - bound;
  const [exact, limit] = [exactDecimal(value), exactDecimal(bound)];
  return exact === undefined || limit === undefined ? 0 : compareDecimals(exact, limit);
}

function sizeOf(value: Json): number {
  return Number(callFunction('length', [value]));
}

function ofPattern(value: Json, pattern: string | undefined): string | undefined {
  if (pattern === undefined || typeof value !== 'string' || callFunction('matches', [value, pattern]) === true)
    return undefined;
  return `is ${describeValue(value)}, which does not match the pattern ${shorten(pattern)}`;
}

/** Checks declared fields: each has its type, and exists if it is required. Records may have further fields. */
function ofFields(value: Json, fields: InputField[] | undefined): string | undefined {
  if (fields === undefined) return undefined;
  const records = Array.isArray(value) ? value : [value];
  for (const [at, record] of records.entries()) {
    const place = Array.isArray(value) ? ` in element ${at}` : '';
    if (!isJsonObject(record)) return `has ${describeValue(record ?? null)}${place}, but records are expected`;
    for (const field of fields) {
      const found = ownField(record, field.name) ?? null;
      if (found === null) {
        if (field.required === true) return `has no \`${field.name}\`${place}, which is required`;
        continue;
      }
      const wrong = inputTypeProblem(found, field.type);
      if (wrong !== undefined) return `has a \`${field.name}\`${place} that ${wrong}`;
    }
  }
  return undefined;
}
