import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  type RetryPolicy,
} from '@temporalio/workflow';
import type { RunCommand } from '../core/engine/commands';
import { QUEUES } from '../core/base/run-status';
import type { LifecycleActivities, LocalActivities, RunSettings, RunUnitsInput, StepsAnswer } from './types';

/**
 * Temporal's retries are for the platform's own trouble alone (a lost worker, an outage) and never end;
 * what a tool reports comes back as data. Non-retryable are the answers that the engine decides about.
 */
const PLATFORM_RETRY: RetryPolicy = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '30 seconds',
  nonRetryableErrorTypes: ['quarantine', 'worker_lost', 'context_mismatch', 'payload_too_large'],
};

/** Room for loading, recording and a shutdown beside the steps' own time. */
const MARGIN_MS = 60_000;

export function runUnits(settings: RunSettings, command: RunCommand): (input: RunUnitsInput) => Promise<StepsAnswer> {
  const activities = proxyActivities<{ [name: string]: (input: RunUnitsInput) => Promise<StepsAnswer> }>({
    taskQueue: settings.queuePrefix + QUEUES[command.queue],
    startToCloseTimeout: command.units.reduce((sum, unit) => sum + unit.timeoutMs, MARGIN_MS),
    heartbeatTimeout: settings.heartbeatTimeoutMs,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: command.summary.slice(0, 200),
    retry: PLATFORM_RETRY,
  });
  const run = activities[command.activity];
  if (!run) throw new Error(`no activity ${command.activity}`);
  return run;
}

export function lifecycle(settings: RunSettings, summary: string): LifecycleActivities {
  return proxyActivities<LifecycleActivities>({
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: settings.heartbeatTimeoutMs,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: summary.slice(0, 200),
    retry: PLATFORM_RETRY,
  });
}

/** One short transaction of our own each; anything longer would hold back updates. */
export const local = proxyLocalActivities<LocalActivities>({
  startToCloseTimeout: '20 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
    nonRetryableErrorTypes: ['context_mismatch'],
  },
});
