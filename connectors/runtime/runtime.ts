import type { Database } from '../../infra/db/database';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorBreakersStore } from '../../infra/db/stores/connector-breakers.store';
import { ConnectorCacheStore } from '../../infra/db/stores/connector-cache.store';
import { ConnectorCallsStore } from '../../infra/db/stores/connector-calls.store';
import { ConnectorLimitsStore } from '../../infra/db/stores/connector-limits.store';
import { AnswerCache } from './cache/answer-cache';
import { BREAKER_RULES, Breakers } from './limits/breakers';
import { CredentialStates } from '../auth/credential-states';
import { Limiter, type ShippedLimits } from './limits/limiter';
import { CallRecorder } from './records/call-recorder';
import { Slots } from './limits/slots';

/** Services that connector calls share in a process, and through the database with all others. One for each process. */
export interface ConnectorRuntime {
  limiter: Limiter;
  slots: Slots;
  breakers: Breakers;
  cache: AnswerCache;
  recorder: CallRecorder;
  credentials: CredentialStates;
  bindings: ConnectorBindingsStore;
  /** Writes what is left to write and gives back what is leased. Before the database closes. */
  close(): Promise<void>;
}

export interface RuntimeDeps {
  database: Database;
  /** Unique for each start of a process. */
  worker: string;
  /** Limits of origins that are asked without a credential, from the catalogue. */
  shipped: ShippedLimits;
  warn: (facts: object, message: string) => void;
}

export function createConnectorRuntime({ database, worker, shipped, warn }: RuntimeDeps): ConnectorRuntime {
  const limits = new ConnectorLimitsStore(database);
  const slots = new Slots(limits, worker);
  const recorder = new CallRecorder(new ConnectorCallsStore(database), warn);
  const bindings = new ConnectorBindingsStore(database);
  return {
    limiter: new Limiter(limits, shipped),
    slots,
    breakers: new Breakers(new ConnectorBreakersStore(database, worker, BREAKER_RULES)),
    cache: new AnswerCache(new ConnectorCacheStore(database)),
    recorder,
    credentials: new CredentialStates(bindings),
    bindings,
    close: async () => {
      await slots.close();
      await recorder.close();
    },
  };
}
