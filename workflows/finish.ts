import { patched, workflowInfo } from '@temporalio/workflow';
import type { Json } from '../core/base/json';
import type { RunStatus } from '../core/base/run-status';
import { knownSize } from '../core/base/known-size';
import { packShared, type SharedJson } from '../core/base/shared-json';
import type { FinishCommand } from '../core/engine/commands';
import type { StoredValue } from '../core/engine/values';
import type { SerialQueue } from './serial-queue';
import type { Outbox } from './outbox';
import { lifecycle, local } from './proxies';
import type { FinishResult, PlaybookRunInput, PlaybookRunResult, RunEnd } from './types';

/** Replay-sensitive. The last record of a run: status, outputs, journal, in one short transaction. */
const OUTPUT_INLINE = 262_144;
/** Outputs up to this are stored by the activity that ends the run. */
const STORED_AT_END = 2_097_152;

type Outputs = FinishCommand['outputs'];

export async function finishRun(
  input: PlaybookRunInput,
  command: FinishCommand,
  outbox: Outbox,
  queue: SerialQueue,
): Promise<PlaybookRunResult> {
  const given = await outputsToKeep(input, command.outputs);
  const finish = (): Promise<FinishResult> =>
    local.finish_run({ ...endOf(input, command), transitions: outbox.takeAll(), ...given });
  const { status, outputs: kept } = await queue.run(finish);
  return resultOf(input, command, status, kept ?? ('outputs' in given ? given.outputs : {}));
}

/** Data for the row of the run at its end, beside outputs and events. */
export function endOf({ runId, ownerId, versionId }: PlaybookRunInput, command: FinishCommand): RunEnd {
  const { kind: _kind, outputs: _outputs, retryable: _retryable, ...end } = command;
  return { runId, ownerId, versionId, ...end };
}

/** `status`: what the row has, as the first end wins. */
export function resultOf(
  { runId }: PlaybookRunInput,
  end: FinishCommand,
  status: RunStatus,
  told: Outputs,
): PlaybookRunResult {
  const { retryable } = end;
  // The outputs are in the run's row; only a parent takes them out of the history.
  const result: PlaybookRunResult = { runId, status, outputs: workflowInfo().parent ? told : {} };
  if (end.code !== undefined) result.code = end.code;
  if (end.message !== undefined) result.message = end.message;
  if (end.summary !== undefined) result.summary = end.summary;
  if (retryable !== undefined) result.retryable = retryable;
  return result;
}

type Given = { outputs: Outputs } | { packed: SharedJson; tell?: true };

/** Large outputs leave the workflow packed, and are stored with the run's end or, very large ones, before it. */
async function outputsToKeep(input: PlaybookRunInput, outputs: Outputs): Promise<Given> {
  if (knownSize(outputs as unknown as Json) <= OUTPUT_INLINE) return { outputs };
  const packed = packedOf(outputs);
  if (sizeOf(packed) <= STORED_AT_END && patched('stored-at-end'))
    return workflowInfo().parent ? { packed, tell: true } : { packed };
  const { runId, ownerId, versionId, settings } = input;
  return { outputs: await lifecycle(settings, 'outputs').store_outputs({ runId, ownerId, versionId, packed }) };
}

function packedOf(outputs: { [key: string]: StoredValue }): SharedJson {
  const root = outputs as unknown as Json;
  return packShared(root) ?? { root, parts: [], holes: [] };
}

function sizeOf({ root, parts }: SharedJson): number {
  return parts.reduce((sum: number, part) => sum + knownSize(part), knownSize(root));
}
