import type { Client } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { QUEUES } from '../../core/base/run-status';
import type { PlaybookRunInput } from '../../workflows/types';
import { factsOf, type RunFacts, type RunRow } from '../db/stores/run-types';
import { runMemo, runSummary } from './run-input';
import { runAttributes } from './search-attributes';

/** Data with which the workflow of a run is started. */
export interface RunStart {
  run: RunFacts;
  taskQueue: string;
  input: PlaybookRunInput;
  summary: string;
  memo: { [name: string]: string };
  attributes?: SearchAttributePair[];
}

export function runStart(row: RunRow, input: PlaybookRunInput): RunStart {
  return {
    run: factsOf(row),
    taskQueue: input.settings.queuePrefix + QUEUES.main,
    input,
    summary: runSummary(row),
    memo: runMemo(row),
    ...(input.settings.searchAttributes ? { attributes: runAttributes(row) } : {}),
  };
}

export function workflowId(runId: string): string {
  return `run-${runId}`;
}

/**
 * Throws WorkflowExecutionAlreadyStartedError for a second start. `eager`: the first workflow task comes with the server's
 * answer, for a worker on the connection of this client.
 */
export async function startWorkflow(client: Client, start: RunStart, eager = false): Promise<void> {
  await client.workflow.start('playbookRun', {
    workflowId: workflowId(start.run.id),
    taskQueue: start.taskQueue,
    args: [start.input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    staticSummary: start.summary,
    memo: start.memo,
    priority: { fairnessKey: start.run.owner_id },
    ...(start.attributes === undefined ? {} : { typedSearchAttributes: start.attributes }),
    ...(eager ? { requestEagerStart: true } : {}),
  });
}
