import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities';
import { QUEUES } from '../core/base/run-status';
import type { Config } from '../infra/config/config';

export interface WorkerParts {
  config: Config;
  connection: NativeConnection;
  activities: Activities;
  dataConverter: DataConverter;
  /** A bundle made elsewhere; else the build's, else the sources are bundled at start. */
  workflowBundle?: { codePath: string };
}

/**
 * `isolateExecutionTimeout` (a default of the SDK, 5 s, that it takes but does not declare): time on the clock for one
 * call into a workflow. A busy machine needs more for a long replay, and what is cut off in the middle is continued in
 * nobody's name and ends the whole worker.
 */
type Options = Partial<WorkerOptions> & { isolateExecutionTimeout?: string };

/** Several queues, so that slow work cannot delay fast work; a quarantined step is carried out alone. */
export async function createWorkers(parts: WorkerParts): Promise<Worker[]> {
  const { config } = parts;
  return Promise.all([
    create(parts, QUEUES.main, {
      ...(parts.workflowBundle ? { workflowBundle: parts.workflowBundle } : workflowCode()),
      maxCachedWorkflows: config.cachedWorkflows,
      isolateExecutionTimeout: '1 minute',
      // Time for which a run waits for the worker that had it before; when that one is dead, its next step is this much later.
      stickyQueueScheduleToStartTimeout: '4 seconds',
      maxConcurrentWorkflowTaskExecutions: 40,
      maxConcurrentActivityTaskExecutions: 50,
      maxConcurrentLocalActivityExecutions: 50,
      workflowTaskPollerBehavior: { type: 'autoscaling', initial: 5, minimum: 2, maximum: 20 },
      activityTaskPollerBehavior: { type: 'autoscaling', initial: 5, minimum: 2, maximum: 20 },
    }),
    create(parts, QUEUES.llm, { maxConcurrentActivityTaskExecutions: 20, maxConcurrentActivityTaskPolls: 2 }),
    create(parts, QUEUES.quarantine, { maxConcurrentActivityTaskExecutions: 1, maxConcurrentActivityTaskPolls: 1 }),
  ]);
}

function create(parts: WorkerParts, queue: string, options: Options): Promise<Worker> {
  const { config, connection, activities, dataConverter } = parts;
  return Worker.create({
    connection,
    namespace: config.temporalNamespace,
    taskQueue: config.queuePrefix + queue,
    activities,
    dataConverter,
    shutdownGraceTime: `${config.shutdownGraceSeconds} seconds`,
    ...options,
  });
}

/** The bundle of the build; from sources, the code is bundled at start. */
function workflowCode(): Partial<WorkerOptions> {
  const codePath = join(__dirname, '../workflow-bundle.js');
  return existsSync(codePath)
    ? { workflowBundle: { codePath } }
    : { workflowsPath: join(__dirname, '../workflows/index.ts') };
}
