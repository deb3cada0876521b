import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { Semaphore } from '../../infra/semaphore';
import type { RunRow } from '../../infra/db/stores/run-types';
import type { RunGateway } from '../app/ports';
import type { ApiLog } from '../app/deps';
import { GATEWAY, LOG } from '../app/tokens';

/** Number of starts at once. More would only wait inside Temporal. */
const AT_ONCE = 16;
/** Starts that wait for a place. What comes on top, in a storm or while Temporal is away, is left to the sweeper. */
const MOST_WAITING = 500;

/**
 * Starts the workflow of a run whose row is committed. The caller has their answer by then: the row is the promise, and
 * a start that fails here or is never made (this process dies) is made by the sweeper.
 */
@Injectable()
export class RunLauncher {
  private readonly places = new Semaphore(AT_ONCE);

  constructor(
    @Inject(GATEWAY) private readonly gateway: RunGateway,
    @Inject(LOG) private readonly log: ApiLog,
  ) {}

  launch(runId: string, row?: RunRow): void {
    if (this.places.waitingCount >= MOST_WAITING) return;
    // The row of a run that waits is read again: it may be cancelled meanwhile.
    const known = this.places.hasFreePlace ? row : undefined;
    void this.places.pass(() => this.start(runId, known));
  }

  /** Starts a run and never throws. */
  private async start(runId: string, row: RunRow | undefined): Promise<void> {
    try {
      await this.gateway.startRun(runId, row);
    } catch (error) {
      if (!(error instanceof AppError)) {
        this.log.error({ err: error, runId }, 'the start of a run is left to the sweeper');
      }
    }
  }
}
