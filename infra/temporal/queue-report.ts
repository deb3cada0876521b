import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { QUEUES } from '../../core/base/run-status';

const { TaskQueueType } = temporal.api.enums.v1;

interface QueuePoller {
  identity: string;
  /** RFC 3339. */
  last_access_at: string | null;
}
export interface QueueReport {
  name: string;
  kind: 'workflow' | 'activity';
  pollers: QueuePoller[];
  /** Number of tasks that no worker has taken yet; null: unknown. */
  backlog: number | null;
}
export interface TemporalReport {
  server_version: string;
  namespace: string;
  queues: QueueReport[];
}

const ASKED: { queue: string; kind: QueueReport['kind'] }[] = [
  { queue: QUEUES.main, kind: 'workflow' },
  { queue: QUEUES.main, kind: 'activity' },
  { queue: QUEUES.llm, kind: 'activity' },
  { queue: QUEUES.quarantine, kind: 'activity' },
];

/** Pollers of the queues that runs need. Work in a queue without pollers is not done. */
export async function temporalReport(client: Client, queuePrefix: string): Promise<TemporalReport> {
  const { namespace } = client.options;
  const service = client.connection.workflowService;
  const queue = async ({ queue: name, kind }: (typeof ASKED)[number]): Promise<QueueReport> => {
    const { pollers, stats } = await service.describeTaskQueue({
      namespace,
      taskQueue: { name: queuePrefix + name },
      taskQueueType:
        kind === 'workflow' ? TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW : TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
      reportStats: true,
    });
    const backlog = stats?.approximateBacklogCount;
    return {
      name: queuePrefix + name,
      kind,
      pollers: (pollers ?? []).map((poller) => ({
        identity: poller.identity ?? '',
        last_access_at: timeOf(poller.lastAccessTime),
      })),
      backlog: backlog === null || backlog === undefined ? null : Number(backlog),
    };
  };
  const system = service.getSystemInfo({});
  // All calls have ended before this does: one that is left alone would be repeated on a closed connection.
  const outcomes = await Promise.allSettled([system, ...ASKED.map(queue)]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const { serverVersion } = await system;
  const queues = outcomes.slice(1) as PromiseFulfilledResult<QueueReport>[];
  return { server_version: serverVersion, namespace, queues: queues.map(({ value }) => value) };
}

/** A protobuf timestamp. */
function timeOf(time: { seconds?: unknown; nanos?: number | null } | null | undefined): string | null {
  if (time?.seconds === undefined || time.seconds === null) return null;
  return new Date(Number(time.seconds) * 1_000 + (time.nanos ?? 0) / 1_000_000).toISOString();
}
