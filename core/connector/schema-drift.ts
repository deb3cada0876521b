import type { FieldSpec } from '../actions/types';
import type { Json } from '../base/json';
import { learnSchema } from './learn-schema';
import type { EndpointSchema } from './types';

/** One difference between what an endpoint declares and what its records look like. */
export interface Drift {
  /** missing: in no record. absent: declared as required, but not in every record. type: of another kind. new: not declared. */
  kind: 'missing' | 'absent' | 'type' | 'new';
  /** Dotted name of the field. */
  field: string;
  declared?: string;
  seen?: string;
}

const MAX_DRIFTS = 100;

/** Differences in the order of the declaration, new fields last. Nothing declared or nothing seen = no difference. */
export function schemaDrift(declared: EndpointSchema, records: readonly Json[]): Drift[] {
  if (declared.fields.length === 0 || records.length === 0) {
    return [];
  }
  const drifts: Drift[] = [];
  compare(declared.fields, learnSchema(records).fields, { prefix: '', drifts });
  return drifts.slice(0, MAX_DRIFTS);
}

interface Place {
  prefix: string;
  drifts: Drift[];
}

function compare(declared: readonly FieldSpec[], seen: readonly FieldSpec[], place: Place): void {
  const bySeen = new Map(seen.map((field) => [field.name, field]));
  const known = new Set(declared.map((field) => field.name));
  for (const field of declared) {
    compareField(field, bySeen.get(field.name), place);
  }
  for (const field of seen.filter(({ name }) => !known.has(name))) {
    place.drifts.push({ kind: 'new', field: place.prefix + field.name, seen: field.type });
  }
}

function compareField(declared: FieldSpec, seen: FieldSpec | undefined, { prefix, drifts }: Place): void {
  const field = prefix + declared.name;
  if (seen === undefined) {
    drifts.push({ kind: 'missing', field, declared: declared.type });
    return;
  }
  if (!fits(declared.type, seen.type)) {
    drifts.push({ kind: 'type', field, declared: declared.type, seen: seen.type });
    return;
  }
  if (declared.required === true && seen.required !== true) {
    drifts.push({ kind: 'absent', field, declared: declared.type });
  }
  if (declared.fields !== undefined && seen.fields !== undefined) {
    compare(declared.fields, seen.fields, { prefix: `${field}.`, drifts });
  }
}

const WIDER: Record<string, string[]> = {
  string: ['date', 'datetime'],
  number: ['integer'],
  // A midnight is often written without its time.
  datetime: ['date', 'string'],
  object: ['record'],
  record: ['object'],
};

/** Tells whether values of the seen type satisfy the declared one. A field of nulls alone is seen as `any` and fits. */
function fits(declared: string, seen: string): boolean {
  if (declared === seen || declared === 'any' || seen === 'any') {
    return true;
  }
  if (declared === 'array' || declared === 'any[]') {
    return seen.endsWith('[]');
  }
  if (declared.endsWith('[]') && seen.endsWith('[]')) {
    return fits(declared.slice(0, -2), seen.slice(0, -2));
  }
  return WIDER[declared]?.includes(seen) === true;
}
