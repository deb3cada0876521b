import { ApplicationFailure, CancelledFailure, ChildWorkflowFailure } from '@temporalio/workflow';
import type { Json, JsonObject } from '../core/base/json';
import { jsonSize } from '../core/base/json-size';
import type { EngineEvent } from '../core/engine/inbox';
import type { StoredValue } from '../core/engine/values';
import { lifecycle } from './proxies';
import type { PlaybookRunInput, PlaybookRunResult } from './types';

/** Replay-sensitive. How a child run ended, seen by its parent. */
const INLINE_LIMIT = 1_048_576;

/** A child that failed or was cancelled closes its workflow so; its result travels in the failure. */
export async function closedChild(runId: string, result: Promise<unknown>): Promise<PlaybookRunResult> {
  try {
    return (await result) as PlaybookRunResult;
  } catch (error) {
    const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
    if (cause instanceof ApplicationFailure) {
      const own = cause.details?.[0] as PlaybookRunResult | undefined;
      return own ?? { runId, status: 'failed', code: cause.type ?? 'failed', message: cause.message, outputs: {} };
    }
    if (cause instanceof CancelledFailure) return { runId, status: 'cancelled', code: 'cancelled', outputs: {} };
    const message = cause instanceof Error ? cause.message : 'The run ended from outside.';
    return { runId, status: 'failed', code: 'child_ended_outside', message, outputs: {} };
  }
}

export async function childEvent(input: PlaybookRunInput, id: string, result: PlaybookRunResult): Promise<EngineEvent> {
  const { status, code, message } = result;
  const closed = { type: 'child_closed' as const, id, status, output: await outputOf(input, result) };
  const event = result.retryable === undefined ? closed : { ...closed, retryable: result.retryable };
  const coded = code === undefined ? event : { ...event, code };
  return message === undefined ? coded : { ...coded, message };
}

async function outputOf(input: PlaybookRunInput, result: PlaybookRunResult): Promise<StoredValue> {
  const { runId, ownerId, versionId, settings } = input;
  const base: JsonObject = { runId: result.runId, status: result.status, summary: result.summary ?? null };
  const large =
    Object.values(result.outputs).some((out) => out.handles) ||
    jsonSize(result.outputs as unknown as Json, INLINE_LIMIT + 1) > INLINE_LIMIT;
  if (!large) {
    const outputs: { [key: string]: Json } = {};
    for (const [key, out] of Object.entries(result.outputs)) outputs[key] = out.value;
    return { value: { ...base, outputs } };
  }
  const packed = await lifecycle(settings, `outputs of run ${result.runId}`).pack_outputs({
    runId,
    ownerId,
    versionId,
    outputs: result.outputs,
  });
  return { value: { ...base, outputs: null }, handles: { outputs: packed.handles?.[''] ?? { parts: [], size: 0 } } };
}
