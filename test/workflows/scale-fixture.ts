import type { Json } from '../../core/base/json';
import type { InProcess } from '../support/in-process';
import type { ActionTable } from '../../activities/actions/types';

const KB = 1024;
export const MB = 1024 * KB;

/** Rows of about 100 bytes of JSON. */
function rows(bytes: number): Json[] {
  return Array.from({ length: Math.ceil(bytes / 100) }, (_, n) => ({
    n,
    group: `g${n % 7}`,
    amount: (n * 7919) % 10_007,
    name: `name ${n} ${'x'.repeat(40)}`,
  }));
}

/** `query_journal` is a short action in the registry; here it answers at once. */
export const actions: ActionTable = {
  make: (call) => {
    const { kb, index } = call.inputs;
    return Promise.resolve({ output: { index: index ?? null, text: 'x'.repeat(Number(kb) * KB) } });
  },
  make_rows: (call) => Promise.resolve({ output: { rows: rows(Number(call.inputs['bytes'])) } }),
  pass: (call) => Promise.resolve({ output: { text: call.inputs['text'] ?? null } }),
  query_journal: (call) => Promise.resolve({ output: { ...call.inputs } }),
};

export interface HistoryFacts {
  events: number;
  bytes: number;
  /** Number of commands in the largest workflow task of any part of the run. */
  largestTask: number;
  activities: number;
  /** The first workflow task came with the start. */
  eager: boolean;
}

/** Facts of the server's history of a run, of its last part if it continued as new. */
export async function historyOf(stack: InProcess, runId: string): Promise<HistoryFacts> {
  const handle = stack.client.workflow.getHandle(`run-${runId}`);
  const [history, about] = await Promise.all([handle.fetchHistory(), handle.describe()]);
  const tasks = new Map<string, number>();
  let activities = 0;
  for (const event of history.events ?? []) {
    for (const value of Object.values(event)) {
      const task =
        typeof value === 'object' && value !== null && 'workflowTaskCompletedEventId' in value
          ? String(value.workflowTaskCompletedEventId)
          : undefined;
      if (task !== undefined) tasks.set(task, (tasks.get(task) ?? 0) + 1);
    }
    if (event.activityTaskScheduledEventAttributes) activities += 1;
  }
  return {
    events: history.events?.length ?? 0,
    bytes: about.historySize ?? 0,
    largestTask: Math.max(0, ...tasks.values()),
    activities,
    eager: history.events?.[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted === true,
  };
}

export async function commits(stack: InProcess): Promise<number> {
  const [row] = await stack.admin.query<{ n: string }>(
    `select (select xact_commit from pg_stat_database where datname = current_database()) as n from pg_stat_clear_snapshot()`,
    [],
  );
  return Number(row?.n ?? 0);
}
