import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { schemaDrift } from '../../core/connector/schema-drift';
import { callEndpoint } from '../../connectors/call/call-endpoint';
import type { CallLedger } from '../../connectors/call/call-ledger';
import type { ConnectorCall, EndpointResult } from '../../connectors/call/connector-call';
import { SourceWait } from '../../connectors/runtime/limits/source-wait';
import { WaitBudget } from '../../connectors/runtime/limits/wait-budget';
import { codeOf, newCallStats, type CallOrigin, type CallStats } from '../../connectors/runtime/records/call-stats';
import type { ActionContext } from './types';

/** Limit of all waits of a step for its source together, where the endpoint sets none. */
const MAX_WAIT_SECONDS = 3600;

/** State of a call that waits, around the state of its kind. Histories hold it by these names. */
interface Parked {
  call: Json;
  refusals: number;
  tally: CallStats;
}

/** Wait budget and statistics of the call, with those of its parts before a wait. */
export function ledgerOf(context: ActionContext, params: JsonObject): CallLedger {
  const parked = parkedOf(context.resume);
  return {
    waits: new WaitBudget({
      maxWaitMs: maxWaitSeconds(params) * 1000,
      waitedMs: context.waitedMs ?? 0,
      refusals: parked?.refusals ?? 0,
    }),
    stats: parked?.tally ?? newCallStats(),
    by: { ...originOf(context), keepBodies: params['record_bodies'] === true },
  };
}

/** State of the connector's kind at the last wait of the call. */
export function resumeOf({ resume }: ActionContext): Json | undefined {
  return parkedOf(resume)?.call ?? undefined;
}

/**
 * One call of an endpoint by a step. A long wait for its source ends the activity (SourceWait) with what was read; the next
 * one continues there. The whole call is one event, `source.called`, also when it failed.
 */
export async function durableCall(call: ConnectorCall, context: ActionContext): Promise<Json> {
  const { waits, stats } = call.ledger;
  const named = { connector: call.connector.id, endpoint: call.name, context };
  try {
    const result = await callEndpoint(call);
    recordCall(named, stats, 'ok');
    noteDrift(call, context, result);
    return withWarnings(result, stats);
  } catch (error) {
    if (error instanceof SourceWait) {
      const left: Parked = { call: error.resume ?? null, refusals: waits.refusals, tally: stats };
      const wait = error.at(left as unknown as Json, waits.sleptMs);
      wait.acted = stats.acted === true;
      throw wait;
    }
    recordCall(named, stats, codeOf(error));
    throw error;
  }
}

/** A call as the events of a run name it. */
export interface NamedCall {
  connector: string;
  endpoint: string;
  context: ActionContext;
}

/** Adds the warnings of the requests to those of the records, under a code: headers are no data. */
function withWarnings(result: EndpointResult, { warnings = [] }: CallStats): EndpointResult {
  if (warnings.length === 0) return result;
  const own = Array.isArray(result['warnings']) ? result['warnings'] : [];
  return { ...result, warnings: [...own, ...warnings.map((message) => ({ code: 'unreadable_header', message }))] };
}

/**
 * Runs a check before a call. When it refuses, no request is sent, and an event records the refusal, so that a step
 * that is skipped is named.
 */
export async function recordRefusal<T>(named: NamedCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    recordCall(named, ledgerOf(named.context, {}).stats, codeOf(error));
    throw error;
  }
}

/** Owner, run and step of a call. */
export function originOf({ ownerId, runId, stepPath }: ActionContext): CallOrigin {
  return { ownerId, runId, stepPath };
}

function parkedOf(resume: Json | undefined): Parked | undefined {
  return isJsonObject(resume) && isJsonObject(resume['tally']) ? (resume as unknown as Parked) : undefined;
}

function maxWaitSeconds(params: JsonObject): number {
  const asked = params['max_wait_seconds'];
  return typeof asked === 'number' && asked >= 0 ? asked : MAX_WAIT_SECONDS;
}

/** The event from which `connectors_called` of the run is made. */
export function recordCall({ connector, endpoint, context }: NamedCall, stats: CallStats, outcome: string): void {
  const { requests, failed, fromCache, staleSeconds, warnings } = stats;
  context.note('source.called', {
    connector,
    endpoint,
    outcome,
    requests,
    requests_failed: failed,
    from_cache: fromCache,
    ...(staleSeconds === undefined ? {} : { stale_seconds: staleSeconds }),
    ...(warnings === undefined ? {} : { warnings }),
  });
}

/** Records whose shape is compared: the first ones show enough. */
const COMPARED = 200;
const SHOWN = 20;
/** Fields that readers of files add to every row. */
const ADDED = ['file', 'file_id'];

/** Reports records that differ from the declared shape to the owner; the result is still used. */
function noteDrift({ connector, name, endpoint }: ConnectorCall, context: ActionContext, result: EndpointResult): void {
  const records = result['results'];
  const declared = endpoint.output_schema;
  if (declared === undefined || !Array.isArray(records)) return;
  const compared = records.slice(0, COMPARED);
  const found = schemaDrift(declared, compared).filter(({ kind, field }) => kind !== 'new' || !ADDED.includes(field));
  if (found.length === 0) return;
  const differences = found.slice(0, SHOWN).map((difference) => ({ ...difference }));
  const about = { connector: connector.id, endpoint: name };
  context.note('source.drift', { ...about, records: compared.length, differences, count: found.length });
}
