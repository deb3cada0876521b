import type { Json, JsonObject } from '../../base/json';
import type { TextRule } from '../fields';
import { type Bounds, MAX_TEXT } from '../limits';

/** A JSON Schema (draft 2020-12) as plain JSON. */
export type Schema = JsonObject;

export interface ObjectSchema {
  description: string;
  properties: Record<string, Schema>;
  required?: string[];
}

/** An object that knows its keys. */
export function object({ description, properties, required = [] }: ObjectSchema): Schema {
  const must: Schema = required.length === 0 ? {} : { required };
  return { type: 'object', description, properties, ...must, additionalProperties: false };
}

/** A text that is not blank. */
export function text(description: string, rule: Pick<TextRule, 'pattern' | 'max'> & { default?: string } = {}): Schema {
  return {
    type: 'string',
    description,
    ...(rule.default === undefined ? {} : { default: rule.default }),
    maxLength: rule.max ?? MAX_TEXT,
    pattern: rule.pattern?.source ?? '\\S',
  };
}

/** Literal text, in which blanks count. */
export function literal(description: string, least: 0 | 1): Schema {
  return { type: 'string', description, minLength: least, maxLength: 200 };
}

export function integer(description: string, bounds: Bounds & { default?: number }): Schema {
  const standard: Schema = bounds.default === undefined ? {} : { default: bounds.default };
  return { type: 'integer', description, minimum: bounds.min, maximum: bounds.max, ...standard };
}

export function flag(description: string, standard?: boolean): Schema {
  return { type: 'boolean', description, ...(standard === undefined ? {} : { default: standard }) };
}

export function choice(description: string, options: readonly string[], standard?: string): Schema {
  return { type: 'string', description, enum: [...options], ...(standard === undefined ? {} : { default: standard }) };
}

export function list(description: string, items: Schema, least?: number): Schema {
  return { type: 'array', description, items, ...(least === undefined ? {} : { minItems: least }) };
}

/** One of them, or a list of them. */
export function oneOrMore(description: string, item: Schema): Schema {
  return { description, anyOf: [item, { type: 'array', items: item, minItems: 1 }] };
}

export function map(description: string, values: Schema, names?: RegExp): Schema {
  const keys: Schema = names === undefined ? {} : { propertyNames: { pattern: names.source } };
  return { type: 'object', description, ...keys, additionalProperties: values };
}

/** Any JSON value. */
export function anything(description: string): Schema {
  return { description };
}

export function ref(name: string, description?: string): Schema {
  return { $ref: `#/$defs/${name}`, ...(description === undefined ? {} : { description }) };
}

export function constant(value: Json): Schema {
  return { const: value };
}

export function when(condition: Schema, consequence: Schema, otherwise?: Schema): Schema {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; nobody awaits it
  return { if: condition, then: consequence, ...(otherwise === undefined ? {} : { else: otherwise }) };
}
