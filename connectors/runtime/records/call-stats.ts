import { randomUUID } from 'node:crypto';
import type { CallRecord } from '../../../infra/db/stores/connector-calls.store';
import type { EgressResponse } from '../../../infra/egress/types';
import { AppError } from '../../../core/errors/app-error';
import type { AnswerCounts, SourceRequest } from '../source-client';
import { chargedOwner, type CallContext } from '../../call/call-context';
import type { Exchange } from '../../http/exchange';

/** Step of a call, and whether its bodies are recorded. */
export interface CallOrigin {
  /** Caller, where it is not the owner of the credential. */
  ownerId?: string;
  runId?: string;
  stepPath?: string;
  keepBodies?: boolean;
}

/** Statistics of one call, all of its pages together. */
export interface CallStats {
  /** Requests that left. */
  requests: number;
  /** Number of failed ones. */
  failed: number;
  fromCache: number;
  /** Age of the oldest answer that stood in for a source that failed. */
  staleSeconds?: number;
  /** A request left that may have taken effect, whatever came after it. */
  acted?: true;
  /** Headers of answers that could not be read. */
  warnings?: string[];
}

/** Limit of warnings: further ones tell nothing new. */
const MOST_WARNINGS = 20;

export function addWarnings(stats: CallStats, found: readonly string[]): void {
  if (found.length === 0) return;
  const all = [...new Set([...(stats.warnings ?? []), ...found])];
  stats.warnings = all.slice(0, MOST_WARNINGS);
}

export function newCallStats(): CallStats {
  return { requests: 0, failed: 0, fromCache: 0 };
}

export type HttpOutcome = { response: EgressResponse } | { error: unknown };

const MAX_BODY = 65_536;

export interface CallFacts {
  exchange: Exchange;
  /** Origin of the request. */
  origin: string;
  by: CallOrigin;
  attempt: number;
  began: number;
  cache: CallRecord['cache'];
}

/** The record of one request, or of one answer out of the cache. */
export function recordOf(sent: HttpOutcome, facts: CallFacts): CallRecord {
  const { exchange, origin, by, attempt, began, cache } = facts;
  const { request } = exchange;
  const response = 'response' in sent ? sent.response : undefined;
  return {
    ...placeOf(exchange.call, chargedOwner(exchange.call, exchange.credential), by),
    origin,
    method: request.method,
    status: response?.status ?? null,
    outcome: 'response' in sent ? outcomeOf(sent.response.status) : codeOf(sent.error),
    ...timeOf(began),
    bytes: response?.body.byteLength ?? null,
    items: null,
    cache,
    attempt,
    page: exchange.page ?? null,
    body: by.keepBodies === true ? bodyOf(exchange, response) : null,
  };
}

/** Outcome of a call of a source that is no HTTP. */
export type SourceOutcome = { answer: AnswerCounts } | { error: unknown };

/** A column of the records holds no larger number. */
const MOST_COUNTED = 2_147_483_647;

/** The record of one question to a source that is no HTTP. What was said there is not kept. */
export function sourceRecordOf(
  settled: SourceOutcome,
  facts: { request: SourceRequest; by: CallOrigin; began: number },
): CallRecord {
  const { request, by, began } = facts;
  const { items, bytes }: AnswerCounts = 'answer' in settled ? settled.answer : {};
  return {
    ...placeOf(request.call, chargedOwner(request.call, request.outside), by),
    origin: request.shown ?? request.origin,
    method: request.method,
    status: null,
    outcome: 'answer' in settled ? 'ok' : codeOf(settled.error),
    ...timeOf(began),
    bytes: bytes === undefined ? null : Math.min(bytes, MOST_COUNTED),
    items: items ?? null,
    cache: 'none',
    attempt: request.attempt,
    page: null,
    body: null,
  };
}

type Place = Pick<CallRecord, 'id' | 'owner_id' | 'connector' | 'version_id' | 'endpoint' | 'run_id' | 'step_path'>;

function placeOf({ connector, versionId, name }: CallContext, charged: string, by: CallOrigin): Place {
  return {
    id: randomUUID(),
    owner_id: by.ownerId ?? charged,
    connector: connector.id,
    version_id: versionId ?? null,
    endpoint: name,
    run_id: by.runId ?? null,
    step_path: by.stepPath ?? null,
  };
}

function timeOf(began: number): Pick<CallRecord, 'latency_ms' | 'at'> {
  return { latency_ms: Math.max(0, Date.now() - began), at: new Date(began).toISOString() };
}

function outcomeOf(status: number): string {
  if (status < 400) return 'ok';
  if (status === 401 || status === 403) return 'auth_failed';
  if (status === 404 || status === 410) return 'upstream_not_found';
  if (status === 408) return 'upstream_timeout';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'upstream_unavailable' : 'upstream_rejected';
}

/** The code under which a failure is known. */
export function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'interrupted';
}

/** Shown through the mask of the call. */
function bodyOf({ call }: Exchange, response: EgressResponse | undefined): string | null {
  return response === undefined ? null : call.mask.text(Buffer.from(response.body).toString('utf8')).slice(0, MAX_BODY);
}
