import type { ExactNumbers } from '../../base/exact-numbers';
import type { Json } from '../../base/json';
import type { WorkMeter } from '../work-meter';

export type Value = Json | undefined;

/** What a function is told beside its arguments. */
export interface CallContext {
  exact: ExactNumbers;
  meter: WorkMeter;
}

/** Pure and total: an argument of another type gives null (false for tests). Only too much work throws, by the meter. */
export interface FunctionEntry {
  /** Parameters as the documentation shows them: `value: text|number, width: number, fill?: text`, `...more: any` last. */
  params: string;
  /** Type of the result where there is one. */
  gives: ValueType;
  example: string;
  call: (args: readonly Value[], context: CallContext) => Json;
  /** Null is an answer (nothing found), not the sign of an argument that cannot be used. */
  mayFindNothing?: true;
  /** A null among the arguments is left out. */
  ignoresNulls?: true;
}

export type FunctionTable = readonly (readonly [name: string, entry: FunctionEntry])[];

/** `date` is a text: `YYYY-MM-DD` or an instant. */
export type ValueType = 'any' | 'text' | 'number' | 'boolean' | 'list' | 'object' | 'date';

/** Most arguments of a function that takes any number of them. */
export const MANY = 100;

export function isPresent(value: Value): value is Json {
  return value !== undefined && value !== null;
}

export function present(values: readonly Value[]): Json[] {
  return values.filter(isPresent);
}

/** A whole number that a double holds exactly. */
export function isWhole(value: Value): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
