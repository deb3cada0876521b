import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { schemaDrift } from '../../core/connector/schema-drift';
import type { EndpointSchema } from '../../core/connector/types';
import type { Egress } from '../../infra/egress/egress';
import type { Asker } from '../../connectors/runtime/source-client';
import { createAsker } from '../../connectors/runtime/create-source-client';
import { createExchanger } from '../../connectors/http/create-transport';
import type { Exchanger } from '../../connectors/http/exchange';
import { Patience } from '../../connectors/runtime/limits/wait-budget';
import type { ConnectorRuntime } from '../../connectors/runtime/runtime';
import { SourceWait } from '../../connectors/runtime/limits/source-wait';
import { codeOf, newTally, type CallOrigin, type Tally } from '../../connectors/runtime/records/call-stats';
import type { EndpointResult } from '../../connectors/call/types';
import type { ActionContext } from './types';

/** All waits of a step for its source together, unless it says otherwise. */
const MAX_WAIT_SECONDS = 3600;

export interface NamedCall {
  connector: string;
  endpoint: string;
  /** What the definition says that records look like. */
  declared?: EndpointSchema;
  /** Whose secrets go with it: limits, breakers and states of credentials are theirs. */
  secretOwner: string;
  params: JsonObject;
  context: ActionContext;
}

export interface CallParts {
  exchange: Exchanger;
  /** For calls that are no HTTP requests. */
  ask: Asker;
  /** What the caller left behind at its last wait. */
  resume: Json | undefined;
}

/** What a call leaves behind at a wait, around what the caller itself left. */
interface Parked {
  call: Json;
  refusals: number;
  tally: Tally;
}

/**
 * One call of an endpoint by a step. A long wait of its source ends it for now (SourceWait) with what it has read; it goes on
 * there. What it did is one event, `source.called`, whatever came of it.
 */
export async function durableCall(
  parts: { egress: Egress; runtime: ConnectorRuntime },
  named: NamedCall,
  work: (call: CallParts) => Promise<EndpointResult>,
): Promise<Json> {
  const { context, params } = named;
  const parked = parkedOf(context.resume);
  const tally = parked?.tally ?? newTally();
  const patience = new Patience({
    maxWaitMs: maxWaitSeconds(params) * 1000,
    waitedMs: context.waitedMs ?? 0,
    refusals: parked?.refusals ?? 0,
  });
  const by = { ...originOf(context), keepBodies: params['record_bodies'] === true };
  const send = createExchanger({ ...parts, patience, tally, by });
  const ownerOf = (secret: unknown): string => (secret === undefined ? context.ownerId : named.secretOwner);
  const exchange: Exchanger = (asked) => send({ ...asked, ownerId: ownerOf(asked.credential) });
  const put = createAsker({ runtime: parts.runtime, patience, tally, by });
  const ask: Asker = (asked, question, facts) =>
    put({ ...asked, ownerId: ownerOf(asked.outside?.credential) }, question, facts);
  try {
    const result = await work({ exchange, ask, resume: parked?.call ?? undefined });
    noteCall(named, tally, 'ok');
    noteDrift(named, result);
    return withWarnings(result, tally);
  } catch (error) {
    if (error instanceof SourceWait) {
      const left: Parked = { call: error.resume ?? null, refusals: patience.refusals, tally };
      const wait = error.at(left as unknown as Json, patience.sleptMs);
      wait.acted = tally.acted === true;
      throw wait;
    }
    noteCall(named, tally, codeOf(error));
    throw error;
  }
}

/** What was said of the requests stands with what was said of the records, under a code: headers are no data. */
function withWarnings(result: EndpointResult, { warnings = [] }: Tally): EndpointResult {
  if (warnings.length === 0) return result;
  const own = Array.isArray(result['warnings']) ? result['warnings'] : [];
  return { ...result, warnings: [...own, ...warnings.map((message) => ({ code: 'unreadable_header', message }))] };
}

/**
 * What has to be there before a call: where it is refused, nothing more leaves, and the event says so all the same, so that a
 * step that is skipped is named.
 */
export async function refusalNoted<T>(
  named: Pick<NamedCall, 'connector' | 'endpoint' | 'context'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    noteCall(named, parkedOf(named.context.resume)?.tally ?? newTally(), codeOf(error));
    throw error;
  }
}

/** Whose step a call belongs to. */
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
export function noteCall(
  { connector, endpoint, context }: Pick<NamedCall, 'connector' | 'endpoint' | 'context'>,
  tally: Tally,
  outcome: string,
): void {
  const { requests, failed, fromCache, staleSeconds, warnings } = tally;
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

/** The first records say enough of a shape. */
const COMPARED = 200;
const SHOWN = 20;
/** What readers of files add to every row. */
const ADDED = ['file', 'file_id'];

/** A source whose records do not look as declared still gives a result, and its owner is told. */
function noteDrift({ connector, endpoint, declared, context }: NamedCall, result: EndpointResult): void {
  const records = result['results'];
  if (declared === undefined || !Array.isArray(records)) return;
  const compared = records.slice(0, COMPARED);
  const found = schemaDrift(declared, compared).filter(({ kind, field }) => kind !== 'new' || !ADDED.includes(field));
  if (found.length === 0) return;
  const differences = found.slice(0, SHOWN).map((difference) => ({ ...difference }));
  context.note('source.drift', { connector, endpoint, records: compared.length, differences, count: found.length });
}
