import type { Egress } from '../../infra/egress/egress';
import type { Asker } from './source-client';
import { createAsker, type AskParts } from './create-source-client';
import { createExchanger } from '../http/create-transport';
import type { Exchanger } from '../http/exchange';
import { Patience } from './limits/wait-budget';
import type { ConnectorRuntime } from './runtime';
import { newTally } from './records/call-stats';

/** For calls outside of runs, where a person looks on: the same road, but what would have to wait is `rate_limited` at once. */
export function waitlessExchanger(parts: { egress: Egress; runtime: ConnectorRuntime }): Exchanger {
  return (exchange) => createExchanger({ ...parts, ...onlooker() })(exchange);
}

/** The same for calls that are no HTTP requests. */
export function waitlessAsker(runtime: ConnectorRuntime): Asker {
  return (ask, work, facts) => createAsker({ runtime, ...onlooker() })(ask, work, facts);
}

function onlooker(): Pick<AskParts, 'patience' | 'tally' | 'by'> {
  const patience = new Patience({ neverWait: true, maxWaitMs: 0, waitedMs: 0, refusals: 0 });
  return { patience, tally: newTally(), by: {} };
}
