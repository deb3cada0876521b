import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from '../infra/log/logger';
import { listContracts } from '../core/actions/registry';
import type { BlobStore } from '../infra/blob/blob-store';
import type { LifecycleActivities, LocalActivities } from '../workflows/types';
import type { ActionTable } from './actions/types';
import { childActivities } from './children';
import { decisionActivities } from './decisions';
import type { Compute } from './runner/compute';
import { stepActivity, type StepActivity } from './steps';
import { storedValueActivities } from './stored-values';
import { transitionActivities } from './transitions';
import type { WorkerStores } from './stores';
import type { RunVerifier } from './verify';

export interface ActivityDeps {
  stores: WorkerStores;
  blobs: BlobStore;
  actions: ActionTable;
  compute: Compute;
  log: Logger;
  /** Unique for each start of a worker process. */
  worker: string;
  heartbeatMs: number;
  quarantineAfter: number;
  workerLostAfter: number;
  signalApprovals: boolean;
  /** Told of the runs that this process starts. */
  verifier: RunVerifier;
  /** Option of `childActivities`. */
  endingMs?: number;
}

export type Activities = LifecycleActivities & LocalActivities & { [action: string]: unknown };

/** All activities of the worker. Step activities carry the names of their actions, so that histories read well. */
export function createActivities(deps: ActivityDeps): Activities {
  const { stores, verifier, blobs, heartbeatMs } = deps;
  const { approvals, transitions, decisions, playbooks, connectors, openRuns } = stores;
  const step = stepActivity({ ...deps, steps: stores.steps, approvals });
  return {
    ...stepActivities(step, Object.keys(deps.actions)),
    default: unknownActivity(step),
    ...storedValueActivities({ blobs, verifier, heartbeatMs }),
    ...transitionActivities({ transitions, approvals, verifier, connectors, blobs, log: deps.log }),
    ...decisionActivities({
      approvals,
      decisions,
      transitions,
      verifier,
      log: deps.log,
      signalApprovals: deps.signalApprovals,
    }),
    ...childActivities({
      runs: stores.runs,
      openRuns,
      retries: stores.runRetry,
      playbooks,
      connectors,
      profileDefinitions: stores.profileDefinitions,
      transitions,
      blobs,
      verifier,
      heartbeatMs,
      endingMs: deps.endingMs,
      log: deps.log,
    }),
  };
}

function stepActivities(step: StepActivity, actions: string[]): { [action: string]: StepActivity } {
  const names = ['segment', ...actions, ...listContracts().map((contract) => contract.name)];
  return Object.fromEntries(names.map((name) => [name, step]));
}

/**
 * A waiting run may ask for an activity that this build no longer has. Temporal would repeat that for ever
 * without a message: a step waits for a person instead, anything else fails with a code.
 */
function unknownActivity(step: StepActivity): StepActivity {
  return (input) => {
    if (Array.isArray(input.units)) return step(input);
    throw ApplicationFailure.nonRetryable('This build of the worker does not have the activity.', 'not_available');
  };
}
