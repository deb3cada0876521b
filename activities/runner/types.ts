import type { Logger } from 'pino';
import { AppError } from '../../core/errors/app-error';
import type { BlobStore } from '../../infra/blob/blob-store';
import type { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import type { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import type { ActionTable } from '../actions/types';
import type { Compute } from './compute';

export interface RunnerDeps {
  steps: StepHotPath;
  approvals: ApprovalsStore;
  blobs: BlobStore;
  actions: ActionTable;
  compute: Compute;
  log: Logger;
  /** Lost workers after which a step runs alone, and how many more until a person is asked. */
  quarantineAfter: number;
  workerLostAfter: number;
}

/** Environment of one call; the runner does not know Temporal. */
export interface RunnerEnv {
  /** Unique for each start of a worker process. */
  worker: string;
  /** Number of this try of the platform, from 1. */
  attempt: number;
  /** Aborts when the run is cancelled or the worker must stop. */
  signal: AbortSignal;
  /** Sign of life with the step that is being carried out. */
  beat(path: string): void;
}

/** Reports a full disk: the message names whose it is, otherwise it is the database's. */
export function storageTrouble(cause: unknown, path: string): PlatformTrouble {
  const message = cause instanceof AppError ? cause.message : 'The database has no room left.';
  return new PlatformTrouble('storage_full', message, path, { cause });
}

/** Failure of the platform, not of the step: the whole call is to be repeated under the same keys. */
export class PlatformTrouble extends Error {
  constructor(
    readonly code:
      'database_unavailable' | 'storage_full' | 'interrupted' | 'quarantine' | 'worker_lost' | 'context_mismatch',
    message: string,
    readonly path: string,
    options?: { cause: unknown },
  ) {
    super(message, options);
    this.name = 'PlatformTrouble';
  }
}
