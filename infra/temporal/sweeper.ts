import { AppError } from '../../core/errors/app-error';
import type { RunRow } from '../db/stores/run-types';
import type { Logger } from '../log/logger';
import type { OpenRunsStore } from '../db/stores/open-runs.store';
import { Periodic } from './periodic';
import type { TemporalRunGateway } from './run-gateway';

const BATCH = 200;
/** Short interval: room appears whenever a run ends or begins to wait, and held runs should not be delayed. */
const RELEASE_SECONDS = 1;

/** Starts runs that a crash, or an outage of Temporal, left `pending`. Several may run: a second start is refused. */
export class Sweeper extends Periodic {
  constructor(deps: { runs: OpenRunsStore; gateway: TemporalRunGateway; log: Logger; seconds: number }) {
    super('sweeper', deps.seconds, () => sweep(deps), deps.log);
  }
}

async function sweep({
  runs,
  gateway,
  seconds,
  log,
}: {
  runs: OpenRunsStore;
  gateway: TemporalRunGateway;
  seconds: number;
  log: Logger;
}): Promise<void> {
  const pending = await runs.pending(Math.min(seconds, 5), BATCH);
  for (const run of pending) {
    await startOne({ gateway, log, runId: run.id, said: 'the sweeper started a pending run' });
  }
}

/** A run that cannot be started does not block the others. While Temporal is away none can be started: the next round will do it. */
async function startOne(use: {
  gateway: TemporalRunGateway;
  log: Logger;
  runId: string;
  row?: RunRow;
  said: string;
}): Promise<void> {
  const { gateway, log, runId, row, said } = use;
  try {
    const answer = await gateway.startRun(runId, row);
    log.info({ runId, answer }, said);
  } catch (error) {
    if (error instanceof AppError && error.category === 'unavailable') throw error;
    log.warn({ err: error, runId }, 'a run could not be started');
  }
}

interface ReleaseDeps {
  runs: OpenRunsStore;
  gateway: TemporalRunGateway;
  log: Logger;
  /** Runs of one owner that may run at the same time. */
  cap: number;
}

/** Starts runs that were held because too many of their owner ran: oldest first, and only when there is room. */
export class HeldRuns extends Periodic {
  constructor(deps: ReleaseDeps) {
    super('held runs', RELEASE_SECONDS, () => release(deps), deps.log);
  }
}

async function release({ runs, gateway, log, cap }: ReleaseDeps): Promise<void> {
  for (const ownerId of await runs.ownersHeld(BATCH)) {
    // A released run that is not started, because this process dies here, is a pending run like any other.
    for (const run of await runs.release(ownerId, cap)) {
      await startOne({ gateway, log, runId: run.id, row: run, said: 'a run that was held has its turn' });
    }
  }
}
