import { workflowInfo } from '@temporalio/workflow';
import type { Json } from '../core/base/json';
import { jsonSize } from '../core/base/json-size';
import type { FinishCommand } from '../core/engine/commands';
import type { SerialQueue } from './serial-queue';
import type { Outbox } from './outbox';
import { lifecycle, local } from './proxies';
import type { FinishInput, PlaybookRunInput, PlaybookRunResult } from './types';

/** Replay-sensitive. The last record of a run: status, outputs, journal, in one short transaction. */
const OUTPUT_INLINE = 262_144;

export async function finishRun(
  input: PlaybookRunInput,
  command: FinishCommand,
  outbox: Outbox,
  queue: SerialQueue,
): Promise<PlaybookRunResult> {
  const { runId, ownerId, versionId, settings } = input;
  const { kind: _kind, outputs, retryable, ...end } = command;
  const large = jsonSize(outputs as unknown as Json, OUTPUT_INLINE + 1) > OUTPUT_INLINE;
  const kept = large
    ? await lifecycle(settings, 'outputs').store_outputs({ runId, ownerId, versionId, outputs })
    : outputs;
  const finish = () => {
    const request: FinishInput = { runId, ownerId, versionId, transitions: outbox.takeAll(), outputs: kept, ...end };
    return local.finish_run(request);
  };
  const { status } = await queue.run(finish);
  // The outputs are in the run's row; only a parent takes them out of the history.
  const result: PlaybookRunResult = { runId, status, outputs: workflowInfo().parent ? kept : {} };
  if (end.code !== undefined) result.code = end.code;
  if (end.message !== undefined) result.message = end.message;
  if (end.summary !== undefined) result.summary = end.summary;
  if (retryable !== undefined) result.retryable = retryable;
  return result;
}
