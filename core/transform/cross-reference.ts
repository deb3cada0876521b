import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import { ownField, type Json, type JsonObject } from '../base/json';
import { fail, guarded, type TransformError } from './failure';
import { readField, type FieldPath } from './field-path';
import { namedFields, optionalText, requiredFields } from './params';
import { Remarks, RemarkCounter } from './remarks';
import { checkCount, toRows, type Row } from './rows';
import { externalId, normaliseName, canonicalSpelling, scalarText } from './text';

interface Match {
  entity_a: Row;
  entity_b: Row;
  /** 0 to 1; exact strategies give 1. */
  match_score: number;
  match_method: string;
}
export type CrossReferenceResult =
  | {
      ok: true;
      matches: Match[];
      unmatched_a: Row[];
      unmatched_b: Row[];
      count: number;
      /** Absent when there are none. */
      warnings?: JsonObject[];
    }
  | TransformError;

interface Strategy {
  fields: FieldPath[];
  otherFields: FieldPath[];
  normalise: (text: string) => string;
}

/**
 * Matches the records of two lists: every pair with equal keys is a match (several partners give several pairs), in the
 * order of A, then B. A record whose key is empty matches nothing. @param params `match_strategy`: `exact` (case, outer
 * and repeated white space do not count) or `external_id` (separators, case and leading zeros do not count); `field_a`:
 * the field, or list of fields, that is compared (`name` for `exact`); `field_b`: its name in B where it differs
 */
export function crossReference(
  a: Json,
  b: Json,
  params: JsonObject,
  exact: ExactNumbers = EXACT,
): CrossReferenceResult {
  const remarks = new Remarks();
  const result = guarded('', () => {
    const rowsA = toRows(a, 'dataset_a', remarks);
    const rowsB = toRows(b, 'dataset_b', remarks);
    const method = optionalText(params, 'match_strategy', 'exact');
    const strategy = strategyOf(method, params, exact);
    remarkKeys(rowsA, 'dataset_a', { ...strategy, keys: strategy.fields }, remarks);
    remarkKeys(rowsB, 'dataset_b', { ...strategy, keys: strategy.otherFields }, remarks);
    return matchRows(rowsA, rowsB, method, strategy);
  });
  if (!result.ok) return result;
  const warnings = remarks.list;
  return { ok: true, ...result.value, ...(warnings.length === 0 ? {} : { warnings }) };
}

interface KeySide {
  keys: readonly FieldPath[];
  normalise: Strategy['normalise'];
}

/** Records that could not be compared stand among the unmatched ones: that nothing was found for them says nothing. */
function remarkKeys(rows: readonly Row[], name: string, { keys, normalise }: KeySide, remarks: Remarks): void {
  remarks.fields(rows, keys, name);
  const without = new RemarkCounter();
  rows.forEach((row, index) => {
    if (keyOf(row, keys, normalise) === undefined) without.add(index);
  });
  if (without.count === 0) return;
  const names = keys.map((key) => `\`${key.name}\``).join(', ');
  const message = `${without.of(rows.length)} of \`${name}\` have no value to compare (${names}) and match nothing.`;
  remarks.add('key_missing', message, { count: without.count });
}

function matchRows(
  rowsA: Row[],
  rowsB: Row[],
  method: string,
  strategy: Strategy,
): Omit<CrossReferenceResult & { ok: true }, 'ok' | 'warnings'> {
  const index = indexOf(rowsB, strategy);
  const matched = new Set<number>();
  const matches: Match[] = [];
  const unmatchedA: Row[] = [];
  for (const row of rowsA) {
    const key = keyOf(row, strategy.fields, strategy.normalise);
    const partners = (key === undefined ? undefined : index.get(key)) ?? [];
    for (const at of partners) {
      matched.add(at);
      matches.push({ entity_a: row, entity_b: rowsB[at] as Row, match_score: 1, match_method: method });
    }
    checkCount(matches.length);
    if (partners.length === 0) {
      unmatchedA.push(row);
    }
  }
  const unmatchedB = rowsB.filter((_row, at) => !matched.has(at));
  return { matches, unmatched_a: unmatchedA, unmatched_b: unmatchedB, count: matches.length };
}

function strategyOf(method: string, params: JsonObject, exact: ExactNumbers): Strategy {
  if (method === 'fuzzy_name') {
    fail('strategy_not_available', '`match_strategy` "fuzzy_name" is not available yet: use "exact" or "external_id".');
  }
  if (method !== 'exact' && method !== 'external_id') {
    fail('invalid_operation', `\`match_strategy\` is "${method}": expected "exact" or "external_id".`);
  }
  const given = ownField(params, 'field_a') ?? null;
  const source: JsonObject = given === null && method === 'exact' ? { field_a: 'name' } : params;
  const fields = requiredFields(source, ['field_a']).map((field) => field.path);
  const otherFields = namedFields(params, ['field_b'])?.map((field) => field.path) ?? fields;
  if (otherFields.length !== fields.length) {
    fail('invalid_operation', '`field_b` names another number of fields than `field_a`: expected one for each.');
  }
  return {
    fields,
    otherFields,
    normalise: method === 'exact' ? (text) => normaliseName(canonicalSpelling(text, exact)) : externalId,
  };
}

function indexOf(rows: Row[], strategy: Strategy): Map<string, number[]> {
  const index = new Map<string, number[]>();
  rows.forEach((row, at) => {
    const key = keyOf(row, strategy.otherFields, strategy.normalise);
    if (key === undefined) {
      return;
    }
    const bucket = index.get(key);
    if (bucket === undefined) {
      index.set(key, [at]);
    } else {
      bucket.push(at);
    }
  });
  return index;
}

function keyOf(row: Row, fields: readonly FieldPath[], normalise: (text: string) => string): string | undefined {
  const parts: string[] = [];
  for (const field of fields) {
    const part = normalise(scalarText(readField(row, field), () => false) ?? '');
    if (part === '') {
      return undefined;
    }
    parts.push(part);
  }
  return JSON.stringify(parts);
}
