import type { Egress } from '../../egress/egress';
import { createExchanger } from './create-exchanger';
import type { Exchanger } from './exchange';
import { Patience } from './patience';
import type { ConnectorRuntime } from './runtime';
import { newTally } from './tally';

/** For calls outside of runs, where a person looks on: the same road, but what would have to wait is `rate_limited` at once. */
export function waitlessExchanger(parts: { egress: Egress; runtime: ConnectorRuntime }): Exchanger {
  return (exchange) => {
    const patience = new Patience({ neverWait: true, maxWaitMs: 0, waitedMs: 0, refusals: 0 });
    return createExchanger({ ...parts, patience, tally: newTally(), by: {} })(exchange);
  };
}
