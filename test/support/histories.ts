import { temporal } from '@temporalio/proto';
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
    facts.push(factsOf(history));
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

function failureOf(failed: temporal.api.history.v1.IWorkflowTaskFailedEventAttributes | null | undefined): string[] {
  const cause = failed?.cause;
  if (!cause || OVERTAKEN.includes(cause)) return [];
  return [`${WorkflowTaskFailedCause[cause]}: ${failed.failure?.message ?? ''}`];
}

function factsOf(history: History): HistoryFacts {
  const events = history.events ?? [];
  return {
    events: events.length,
    bytes: temporal.api.history.v1.History.encode(history).finish().length,
    failedTasks: events.flatMap((event) => failureOf(event.workflowTaskFailedEventAttributes)),
    signals: events.filter((event) => event.workflowExecutionSignaledEventAttributes).length,
  };
}
