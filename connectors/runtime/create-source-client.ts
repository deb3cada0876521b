import { AppError } from '../../core/errors/app-error';
import { chargedOwner } from '../call/call-context';
import type { CallLedger } from '../call/call-ledger';
import type { SourceRequest, SourceClient, ExternalSource } from './source-client';
import { breakerOpen, Gate } from './limits/gate';
import { bindingOf, identityAt, type Identity } from './identity';
import type { ConnectorRuntime } from './runtime';
import { sourceRecordOf } from './records/call-stats';

export interface ClientParts extends CallLedger {
  runtime: ConnectorRuntime;
}

/** Client for calls without HTTP: past breaker and limit where a source is outside, and recorded always. */
export function createSourceClient(parts: ClientParts): SourceClient {
  const { runtime, stats, by } = parts;
  return async (request, work, facts) => {
    const release = await enter(parts, request);
    const began = Date.now();
    stats.requests += 1;
    const settled = await work()
      .then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      )
      .finally(release);
    const failed = 'error' in settled;
    if (failed) stats.failed += 1;
    const record = sourceRecordOf(failed ? settled : { answer: facts(settled.answer) }, { request, by, began });
    runtime.recorder.add(record);
    await report(runtime, request, settled);
    if (failed) throw settled.error;
    return settled.answer;
  };
}

/** Takes a place at the source and returns the function that frees it. Throws if the source cannot take a call now. */
async function enter({ runtime, waits }: ClientParts, request: SourceRequest): Promise<() => void> {
  const { outside, attempt, call } = request;
  const { signal, deadline } = call;
  const shown = request.shown ?? request.origin;
  if (outside === undefined) return () => undefined;
  const scope = { identity: identityOf(request, outside), rateLimit: outside.rateLimit, signal, deadline, shown };
  const gate = new Gate(runtime, waits, scope);
  const open = await gate.passBreaker(attempt === 1);
  if (open !== undefined) throw breakerOpen(shown, open);
  return (await gate.slot(await gate.passLimit())) ?? (() => undefined);
}

/** Reports after the answer; a failure of the report does not fail the call. */
async function report(
  { breakers, credentials }: ConnectorRuntime,
  request: SourceRequest,
  settled: { answer: unknown } | { error: unknown },
): Promise<void> {
  const { outside, call } = request;
  if (outside === undefined || call.signal.aborted) return;
  const { breaker } = identityOf(request, outside);
  const used = bindingOf({ call, credential: outside.credential });
  const said: Promise<void>[] = [];
  if ('answer' in settled) said.push(breakers.succeeded(breaker), credentials.accepted(used));
  else {
    const meaning = outside.meaning(settled.error);
    if (meaning === 'ill') said.push(breakers.failed(breaker));
    if (meaning === 'answered') said.push(breakers.succeeded(breaker));
    const refusal = refusalIn(settled.error);
    if (refusal !== undefined) said.push(credentials.refused(used, refusal));
  }
  await Promise.allSettled(said);
}

function identityOf({ origin, call }: SourceRequest, { credential }: ExternalSource): Identity {
  return identityAt(origin, chargedOwner(call, credential), credential.name);
}

/** Answer of a source that refuses the credential, for its owner. */
function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof AppError) || error.code !== 'auth_failed') return undefined;
  const state = error.details['sqlstate'];
  return typeof state === 'string' ? `SQLSTATE ${state}` : 'a refusal';
}
