import { isJsonObject, ownField, type Json } from '../../../core/base/json';
import type { GraphqlEndpoint } from '../../../core/connector/types';
import type { EgressResponse } from '../../../infra/egress/types';
import { LIMIT_CODES, reportsLimit } from './graphql-errors';
import { hasReadableWait } from '../../../infra/egress/wait-headers';
import { objectOf } from '../../http/bodies/answer-object';

type Rules = Pick<GraphqlEndpoint, 'effect' | 'partial_data'>;

/**
 * Detects a refusal for too many requests, which GraphQL servers send in a 200. Undefined for other answers, for data
 * that the endpoint takes, and for an unsafe operation that may have been carried out: in part, or before a fault of
 * the server.
 */
export function limitIn(response: EgressResponse, rules: Rules): { waitMs?: number } | undefined {
  if (rules.effect === 'unsafe' && !isWord(response)) return undefined;
  const { buffer, byteOffset, byteLength } = response.body;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (!LIMIT_CODES.some((code) => bytes.includes(code))) return undefined;
  const answer = objectOf(response);
  if (answer === undefined || !reportsLimit(ownField(answer, 'errors'))) return undefined;
  if (!refusesAll(ownField(answer, 'data'), rules)) return undefined;
  const waitMs = restoredInMs(ownField(answer, 'extensions'));
  return waitMs === undefined ? {} : { waitMs };
}

/**
 * True if the body says whether anything was done. After a fault (5xx, 408) it does not, unless `Retry-After` makes it
 * a refusal.
 */
function isWord({ status, headers }: EgressResponse): boolean {
  return (status < 500 && status !== 408) || hasReadableWait(headers['retry-after']);
}

/** True if the entry `data` is missing: nothing was begun, the request itself was refused (GraphQL, section 7.1). */
function refusesAll(data: Json | undefined, { effect, partial_data }: Rules): boolean {
  if (data === undefined) return true;
  if (effect === 'unsafe') return false;
  const empty = !isJsonObject(data) || Object.values(data).every((value) => value === null);
  return empty || partial_data === 'refuse';
}

/** Shopify's word on it: what the operation costs, what there is, and how much comes back in a second. */
function restoredInMs(extensions: Json | undefined): number | undefined {
  const cost = fieldOf(extensions, 'cost');
  const status = fieldOf(cost, 'throttleStatus');
  const [asked, left, rate] = [
    fieldOf(cost, 'requestedQueryCost'),
    fieldOf(status, 'currentlyAvailable'),
    fieldOf(status, 'restoreRate'),
  ].map(Number) as [number, number, number];
  const seconds = (asked - left) / rate;
  return Number.isFinite(seconds) && seconds > 0 && rate > 0 ? Math.ceil(seconds * 1000) : undefined;
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? ownField(value, name) : undefined;
}
