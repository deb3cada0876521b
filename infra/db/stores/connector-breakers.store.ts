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
    const [row] = await this.database.hot<BreakerState>('select * from af_breaker($1, $2, $3, $4, $5, $6, $7, $8)', [
      breaker.key,
      breaker.ownerId,
      breaker.origin,
      this.worker,
      act,
      threshold,
      openSeconds,
      probeSeconds,
    ]);
    return row as BreakerState;
  }
}
