import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
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
  private readonly waiting: string[] = [];
  private under = 0;

  constructor(
    @Inject(GATEWAY) private readonly gateway: RunGateway,
    @Inject(LOG) private readonly log: ApiLog,
  ) {}

  launch(runId: string, row?: RunRow): void {
    if (this.under < AT_ONCE) {
      void this.run(runId, row);
    } else if (this.waiting.length < MOST_WAITING) {
      this.waiting.push(runId);
    }
  }

  private async run(runId: string, row?: RunRow): Promise<void> {
    this.under += 1;
    await this.start(runId, row);
    this.under -= 1;
    const next = this.waiting.shift();
    // The run's row is read again: it may have been cancelled meanwhile.
    if (next !== undefined) void this.run(next);
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
