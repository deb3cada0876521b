import type { Logger } from '../log/logger';
import type { DecisionRow, DecisionsStore } from '../db/stores/decisions.store';
import { Periodic } from './periodic';
import type { TemporalRunGateway } from './run-gateway';

const BATCH = 500;
const IN_FLIGHT = 10;
const DEADLINE_MS = 5_000;
/** The caller itself still tries for this long. */
const OLDER_THAN_SECONDS = 4;

export interface DelivererDeps {
  decisions: DecisionsStore;
  gateway: TemporalRunGateway;
  log: Logger;
  seconds: number;
}

/** Delivers received decisions to their runs, under the same id, until each is counted or refused; and counted ones until the run knows them. */
export class Deliverer extends Periodic {
  constructor(deps: DelivererDeps) {
    super('deliverer', deps.seconds, () => deliver(deps), deps.log);
  }
}

async function deliver(deps: DelivererDeps): Promise<void> {
  const { decisions, gateway } = deps;
  await decisions.heard(gateway.takeAnswered());
  await tell(deps, await decisions.undelivered(OLDER_THAN_SECONDS, BATCH));
  await tell(deps, await decisions.unheard(OLDER_THAN_SECONDS, BATCH));
}

async function tell({ decisions, gateway }: DelivererDeps, rows: readonly DecisionRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += IN_FLIGHT) {
    const group = rows.slice(at, at + IN_FLIGHT);
    const answers = await Promise.all(
      group.map((row) =>
        gateway.decideApproval({
          runId: row.run_id,
          approvalId: row.approval_id,
          decisionId: row.decision_id,
          deadlineMs: DEADLINE_MS,
          counted: row.state === 'counted',
        }),
      ),
    );
    // Includes decisions whose runs have ended: such a run cannot learn of them any more.
    await decisions.heard(group.filter((_row, each) => answers[each]?.state !== 'unanswered'));
  }
}
