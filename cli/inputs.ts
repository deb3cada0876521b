import { duplicateKeyOf } from '../core/base/duplicate-key';
import { losesSpelling } from '../core/base/number-rule';
import { usageError } from './errors';
import { readSource } from './read-source';

export interface InputOptions {
  input: string[];
  inputs?: string;
}

/** Declared type of each input by its name; a name that is missing is of no known type. */
export type DeclaredTypes = ReadonlyMap<string, string>;

const TEXT = new Set(['string', 'text', 'entity_name', 'date', 'datetime']);

/** Adds one value of an option that may be given several times. */
export function appendValue(value: string, before: string[]): string[] {
  return [...before, value];
}

/** `json`: a valid text. */
export function refuseTwice(json: string, where: string): void {
  const twice = duplicateKeyOf(json);
  if (twice !== undefined) throw usageError(`The key ${JSON.stringify(twice)} stands twice in one object of ${where}.`);
}

export function givesInputs(options: InputOptions): boolean {
  return options.input.length > 0 || options.inputs !== undefined;
}

/**
 * Inputs by name. What is declared as text is text, whatever it looks like; other values are read as JSON where they are JSON.
 * Without a known type, a number whose spelling would be lost is text too: `1.10` is more likely a version than 1.1.
 */
export function readInputs(options: InputOptions, types: DeclaredTypes = new Map()): Record<string, unknown> {
  const inputs = options.inputs === undefined ? new Map<string, unknown>() : readInputsFile(options.inputs);
  for (const [name, value] of readPairs(options.input, '--input')) inputs.set(name, typedValue(value, types.get(name)));
  return Object.fromEntries(inputs);
}

export function readPairs(pairs: readonly string[], option: string): [string, string][] {
  return pairs.map((pair) => {
    const sign = pair.indexOf('=');
    if (sign <= 0) throw usageError(`${option} wants name=value, not ${JSON.stringify(pair)}.`);
    return [pair.slice(0, sign), pair.slice(sign + 1)];
  });
}

export function typedValue(value: string, type: string | undefined): unknown {
  const isText = type === undefined || type === 'any' ? losesSpelling(value) : TEXT.has(type);
  return isText ? value : jsonOrText(value);
}

function readInputsFile(file: string): Map<string, unknown> {
  const value = jsonOrText(readSource(file), file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageError(`${file} must hold one JSON object with the inputs by name.`);
  }
  return new Map(Object.entries(value));
}

/** Numbers stay as they are written: the API decides what becomes of one that a double does not hold. */
function jsonOrText(value: string, where = 'an input'): unknown {
  let read: unknown;
  try {
    read = parseWithSource(value, (_key, part, { source }) =>
      typeof part === 'number' && source !== undefined && String(part) !== source ? rawJson(source) : part,
    );
  } catch {
    return value;
  }
  refuseTwice(value, where);
  return read;
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// Functions of the Node that we ship; the language's types do not know them yet.
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(this: void, text: string): unknown };
