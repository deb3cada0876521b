import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import { AMOUNTS } from './functions/amounts';
import { CHOICES } from './functions/choices';
import { CONVERSIONS } from './functions/conversions';
import { DATES } from './functions/dates';
import { MANY, type FunctionEntry, type Value, type ValueType } from './functions/entry';
import { LISTS } from './functions/lists';
import { OBJECTS } from './functions/objects';
import { PATTERNS } from './functions/patterns';
import { TEXTS } from './functions/texts';
import { WorkMeter } from './work-meter';

const FUNCTIONS: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  ...CHOICES,
  ...TEXTS,
  ...PATTERNS,
  ...LISTS,
  ...OBJECTS,
  ...DATES,
  ...AMOUNTS,
  ...CONVERSIONS,
]);

interface Parameter {
  name: string;
  /** Any of these fits. */
  types: readonly ValueType[];
  isOptional: boolean;
}

/** What a function takes; `more` describes further arguments of one that takes any number. */
export interface Signature {
  parameters: readonly Parameter[];
  more?: Parameter;
  gives: ValueType;
}

export function functionNames(): string[] {
  return [...FUNCTIONS.keys()];
}

const signatures = new Map<string, Signature>();

/** Undefined for an unknown function. */
export function signatureOf(name: string): Signature | undefined {
  const known = signatures.get(name);
  const entry = FUNCTIONS.get(name);
  if (known !== undefined || entry === undefined) return known;
  const all = entry.params.split(', ').map(parameterOf);
  const more = entry.params.includes('...') ? all.pop() : undefined;
  const signature: Signature = { parameters: all, gives: entry.gives, ...(more === undefined ? {} : { more }) };
  signatures.set(name, signature);
  return signature;
}

function parameterOf(written: string): Parameter {
  const [name = '', types = 'any'] = written.split(': ');
  return {
    name: name.slice(name.startsWith('...') ? 3 : 0, name.endsWith('?') ? -1 : undefined),
    types: types.split('|') as ValueType[],
    isOptional: name.endsWith('?'),
  };
}

/** Number of a function's arguments; undefined for an unknown one. */
export function arity(name: string): { min: number; max: number; text: string; example: string } | undefined {
  const signature = signatureOf(name);
  const entry = FUNCTIONS.get(name);
  if (!signature || !entry) return undefined;
  const min = signature.parameters.filter(({ isOptional }) => !isOptional).length;
  const max = signature.more === undefined ? signature.parameters.length : MANY;
  const count = min === max ? `${min}` : `${min} to ${max}`;
  return { min, max, example: entry.example, text: `${count} argument${max === 1 ? '' : 's'}` };
}

/** Takes any number of values, and looks at those that are there. */
export function ignoresNulls(name: string): boolean {
  return FUNCTIONS.get(name)?.ignoresNulls === true;
}

/** Null may be the answer of a function whose arguments all fit. */
export function mayFindNothing(name: string): boolean {
  return FUNCTIONS.get(name)?.mayFindNothing === true;
}

/**
 * The value of a call; null for an unknown function.
 * @throws AppError `expression_too_large` from the meter.
 */
export function callFunction(
  name: string,
  args: readonly Value[],
  exact: ExactNumbers = EXACT,
  meter: WorkMeter = new WorkMeter(),
): Json {
  const entry = FUNCTIONS.get(name);
  if (entry === undefined) return null;
  for (const value of args) meter.use(sizeOf(value));
  return entry.call(args, { exact, meter });
}

/** Characters or elements that a function looks at, without those further inside. */
function sizeOf(value: Value): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 1;
}
