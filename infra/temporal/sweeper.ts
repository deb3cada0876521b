import type { Logger } from '../log/logger';
import type { OpenRunsStore } from '../db/stores/open-runs.store';
import { Periodic } from './periodic';
import type { TemporalRunGateway } from './run-gateway';

const BATCH = 200;

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
