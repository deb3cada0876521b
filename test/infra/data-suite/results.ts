import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Json, JsonObject } from '../../../core/base/json';
import type { EndpointResult } from '../../../connectors/call/connector-call';

export function rows(result: EndpointResult, field = 'results'): JsonObject[] {
  return result[field] as JsonObject[];
}

/** The only record of a result. */
export function one(result: EndpointResult): JsonObject {
  const [record, ...more] = rows(result);
  if (record === undefined || more.length > 0) {
    throw new Error(`One record was expected, not ${rows(result).length}.`);
  }
  return record;
}

export function list(value: Json | undefined): JsonObject[] {
  return (value ?? []) as JsonObject[];
}

export function sum(records: readonly JsonObject[], field: string): number {
  return records.reduce((total, record) => total + Number(record[field] ?? 0), 0);
}

/** Part of the product's repository. */
export function ownText(path: string): string {
  return readFileSync(resolve(__dirname, '../../..', path), 'utf8');
}

/** A text as it is, anything else as JSON. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
