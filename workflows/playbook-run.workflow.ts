import {
  allHandlersFinished,
  ApplicationFailure,
  CancelledFailure,
  CancellationScope,
  condition,
  continueAsNew,
} from '@temporalio/workflow';
import { RunDriver } from './driver';
import type { PlaybookRunInput, PlaybookRunResult } from './types';

/**
 * Replay-sensitive. One run of a playbook. The engine decides, the driver carries its commands out.
 * All of it runs in a non-cancellable scope: a cancel is an event for the engine, so that a cancelled run
 * still writes its journal.
 */
export async function playbookRun(input: PlaybookRunInput): Promise<PlaybookRunResult> {
  const driver = new RunDriver(input);
  const root = CancellationScope.current();
  const outcome = await CancellationScope.nonCancellable(async () => {
    root.cancelRequested.catch(() => driver.post({ type: 'cancel' }));
    const end = await driver.run();
    await condition(allHandlersFinished);
    return end;
  });
  if (outcome.kind === 'continue') return continueAsNew<typeof playbookRun>(outcome.input);
  return close(outcome.result);
}

/** Temporal shows failed and cancelled runs as such, so that alerts can hang on the closed state seen from outside. */
function close(result: PlaybookRunResult): PlaybookRunResult {
  if (result.status === 'cancelled') throw new CancelledFailure(result.message ?? 'The run was cancelled.', [result]);
  if (result.status === 'failed') {
    throw ApplicationFailure.create({
      type: result.code ?? 'failed',
      message: result.message ?? 'The run failed.',
      nonRetryable: true,
      details: [result],
    });
  }
  return result;
}
