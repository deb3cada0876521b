import { fields } from '../clean-params';
import type { Database } from '../database';

export interface BreakerState {
  /** `half_open`: its time is over, and no probe runs yet; `probing`: one does. */
  state: 'closed' | 'open' | 'half_open' | 'probing';
  wait_ms: number;
  failures: number;
  /** The caller is the one that makes the trial request. */
  mine: boolean;
}

export interface BreakerRules {
  /** Failures in a row that open it. */
  threshold: number;
  /** Time that it stays open at first; twice as long each time, a minute at most. */
  openSeconds: number;
  /** Time of a probe. */
  probeSeconds: number;
}

export interface Breaker {
  key: string;
  ownerId: string;
  origin: string;
}

/** Breakers that all workers share. */
export class ConnectorBreakersStore {
  constructor(
    private readonly database: Database,
    private readonly worker: string,
    private readonly rules: BreakerRules,
  ) {}

  async act(breaker: Breaker, act: 'look' | 'failed' | 'ok' | 'probe'): Promise<BreakerState> {
    const { threshold, openSeconds, probeSeconds } = this.rules;
    const { key, ownerId, origin } = breaker;
    const rules = { threshold, open_seconds: openSeconds, probe_seconds: probeSeconds };
    const [row] = await this.database.hot<BreakerState>('select * from af_breaker($1)', [
      fields({ key, owner: ownerId, origin, worker: this.worker, act, ...rules }),
    ]);
    return row as BreakerState;
  }
}
