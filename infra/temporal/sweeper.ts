import type { Logger } from '../log/logger';
import type { OpenRunsStore } from '../db/stores/open-runs.store';
import { Periodic } from './periodic';
import type { TemporalRunGateway } from './run-gateway';

const BATCH = 200;
/** Room appears whenever a run ends or begins to wait: who is held should not feel it. */
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
    const answer = await gateway.startRun(run.id);
    log.info({ runId: run.id, answer }, 'the sweeper started a pending run');
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
    // What is released and not started, because this process dies here, is a pending run as any other.
    for (const run of await runs.release(ownerId, cap)) {
      const answer = await gateway.startRun(run.id, run);
      log.info({ runId: run.id, answer }, 'a run that was held has its turn');
    }
  }
}
