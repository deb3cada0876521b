import {
  allHandlersFinished,
  ApplicationFailure,
  CancelledFailure,
  CancellationScope,
  condition,
  continueAsNew,
  setHandler,
} from '@temporalio/workflow';
import { RunDriver } from './driver';
import {
  approvalSignal,
  decideApprovalUpdate,
  pauseSignal,
  progressQuery,
  resolveSignal,
  resumeSignal,
  stateQuery,
  type DecideInput,
} from './messages';
import type { PlaybookRunInput, PlaybookRunResult } from './types';

/**
 * Replay-sensitive. One run of a playbook. The engine decides, the driver carries its commands out.
 * All of it runs in a non-cancellable scope: a cancel is an event for the engine, so that a cancelled run
 * still writes its journal.
 */
export async function playbookRun(input: PlaybookRunInput): Promise<PlaybookRunResult> {
  checkStart(input);
  const driver = new RunDriver(input);
  const { messages } = driver;
  setHandler(decideApprovalUpdate, (decision) => messages.decide(decision), {
    validator: (decision: DecideInput) => messages.check(decision),
  });
  setHandler(approvalSignal, (signal) => messages.signalled(signal));
  setHandler(pauseSignal, () => messages.pause());
  setHandler(resumeSignal, () => messages.resume());
  setHandler(resolveSignal, (given) => messages.resolve(given));
  setHandler(stateQuery, () => messages.showState());
  setHandler(progressQuery, () => messages.showProgress());
  driver.open();
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

/** Ends a run that was started by hand with other inputs, with a reason: a throw would repeat the task for ever. */
function checkStart(input: PlaybookRunInput): void {
  const given = input as Partial<PlaybookRunInput> | undefined;
  if (Array.isArray(given?.plan?.steps) && given.settings && given.clock && given.traits && given.inputs) return;
  throw ApplicationFailure.create({
    type: 'invalid_start',
    message: 'A run is started through the API: POST /api/agent-factory/runs.',
    nonRetryable: true,
  });
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
