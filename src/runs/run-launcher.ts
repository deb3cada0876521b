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
    const answer = await this.start(runId, row);
    // A run that was started just now, or is left to the sweeper, stands as its row was written.
    const standing = answer === 'already_started' ? await this.runs.standing(ownerId, runId) : null;
    return standing?.status ?? 'pending';
  }

  private async start(
    runId: string,
    row: RunRow | undefined,
  ): Promise<'started' | 'already_started' | 'held' | undefined> {
    const started = this.gateway.startRun(runId, row).catch((error: unknown): undefined => {
      // The row is committed, so whatever happened here is the sweeper's to repeat, not the caller's.
      if (!(error instanceof AppError)) {
        this.log.error({ err: error, runId }, 'the start of a run is left to the sweeper');
      }
    });
    return within(started, START_MS, undefined);
  }
}
