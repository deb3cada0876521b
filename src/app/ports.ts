import type { DecisionRow } from '../../infra/db/stores/decisions.store';
import type { RunRow } from '../../infra/db/stores/run-types';
import type { TemporalReport } from '../../infra/temporal/queue-report';
import type { DeliveryAnswer } from '../../infra/temporal/run-gateway';

/** Access to Temporal for the use cases. Every method throws `temporal_unavailable` when it does not answer. */
export interface RunGateway {
  /** `row`: the run as it was just written. `held`: it waits for its turn. */
  startRun(runId: string, row?: RunRow): Promise<'started' | 'already_started' | 'held'>;
  decideApproval(decision: {
    runId: string;
    approvalId: string;
    decisionId: string;
    deadlineMs: number;
    received?: DecisionRow;
  }): Promise<DeliveryAnswer>;
  cancelRun(runId: string): Promise<void>;
  pauseRun(runId: string): Promise<void>;
  resumeRun(runId: string): Promise<void>;
  resolveStep(resolution: { runId: string; stepPath: string; outcome: 'done' | 'not_done' | 'repeat' }): Promise<void>;
  ready(): Promise<boolean>;
  report(): Promise<TemporalReport>;
  uiLink(runId: string): string | undefined;
}

/** Gives a new account its first objects: the catalogue. */
export type Welcome = (ownerId: string) => Promise<void>;

/** A loop that runs beside the requests: sweeper, reconciler, deliverer. */
export interface BackgroundLoop {
  start(): void;
  stop(): Promise<void>;
}
