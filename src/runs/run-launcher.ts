import { Inject, Injectable } from '@nestjs/common';
import type { RunStatus } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import type { RunRow } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { RunGateway } from '../app/ports';
import type { ApiLog } from '../app/deps';
import { GATEWAY, LOG } from '../app/tokens';
import { within } from '../shared/within';

/** A start that takes longer is left to the sweeper: the row is there, and the caller has his answer. */
const START_MS = 1_500;

/** Starts the workflow of a run whose row is committed. */
@Injectable()
export class RunLauncher {
  constructor(
    private readonly runs: RunsStore,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
    @Inject(LOG) private readonly log: ApiLog,
  ) {}

  /** Never fails because of Temporal: then the run stays `pending` and the sweeper starts it. Gives the run's status. */
  async launch(ownerId: string, runId: string, row?: RunRow): Promise<RunStatus> {
    await this.start(runId, row);
    return (await this.runs.standing(ownerId, runId))?.status ?? 'pending';
  }

  private async start(runId: string, row: RunRow | undefined): Promise<void> {
    const started = this.gateway.startRun(runId, row).then(
      () => undefined,
      (error: unknown) => {
        // The row is committed, so whatever happened here is the sweeper's to repeat, not the caller's.
        if (!(error instanceof AppError)) {
          this.log.error({ err: error, runId }, 'the start of a run is left to the sweeper');
        }
      },
    );
    await within(started, START_MS, undefined);
  }
}
