import { temporal } from '@temporalio/proto';
import { failureMessage } from '../../infra/temporal/failure-message';
import type { Stack } from './stack';

type History = temporal.api.history.v1.IHistory;

export interface HistoryFacts {
  events: number;
  /** As the server keeps it: what lies outside is not counted. */
  bytes: number;
  /** Workflow tasks that failed, but not those that new messages only made the server ask for again. */
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

const { WorkflowTaskFailedCause } = temporal.api.enums.v1;
const OVERTAKEN = [
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  // So many messages waited that the server would not wait for the answer.
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
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
