import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import type { JsonObject } from '../../core/base/json';
import { failureMessage } from '../../infra/temporal/failure-message';
import type { Stack } from './stack';

type History = temporal.api.history.v1.IHistory;

export interface HistoryFacts {
  events: number;
  /** Bytes of the history as the server keeps it; parts in the blob store are not counted. */
  bytes: number;
  /** Workflow tasks that failed because of our code: not those that new messages or an operator made the server repeat. */
  failedTasks: string[];
  signals: number;
}

/** One entry for each link of the run's chain (continue-as-new), newest first. */
export async function historyChain(stack: Stack, runId: string): Promise<HistoryFacts[]> {
  const facts: HistoryFacts[] = [];
  for (let link: string | undefined; ;) {
    const history: History = await stack.client.workflow.getHandle(`run-${runId}`, link).fetchHistory();
    facts.push(await factsOf(stack, runId, history));
    link = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
    if (link === undefined) return facts;
  }
}

/** Arguments of the run's workflow, decrypted. */
export async function startInputOf({ client }: Stack, runId: string): Promise<JsonObject> {
  const history: History = await client.workflow.getHandle(`run-${runId}`).fetchHistory();
  const sealed = history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads;
  return decodeFromPayloadsAtIndex<JsonObject>(client.options.loadedDataConverter, 0, sealed);
}

const { WorkflowTaskFailedCause } = temporal.api.enums.v1;
const OVERTAKEN = [
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  // The server had too many waiting messages to wait for the answer.
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
  // An operator reset the run: the server records it in this way.
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
];

type FailedTask = temporal.api.history.v1.IWorkflowTaskFailedEventAttributes;

function isOurs(failed: FailedTask | null | undefined): failed is FailedTask {
  return Boolean(failed?.cause && !OVERTAKEN.includes(failed.cause));
}

async function factsOf(stack: Stack, runId: string, history: History): Promise<HistoryFacts> {
  const events = history.events ?? [];
  const failed = events.map((event) => event.workflowTaskFailedEventAttributes).filter(isOurs);
  const said = failed.map(async ({ cause, failure }) => {
    const message = await failureMessage(stack.client, `run-${runId}`, failure);
    return `${WorkflowTaskFailedCause[cause ?? 0]}: ${message ?? ''}`;
  });
  return {
    events: events.length,
    bytes: temporal.api.history.v1.History.encode(history).finish().length,
    failedTasks: await Promise.all(said),
    signals: events.filter((event) => event.workflowExecutionSignaledEventAttributes).length,
  };
}
