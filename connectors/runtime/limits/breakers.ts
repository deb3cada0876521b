import type { Breaker, BreakerState, ConnectorBreakersStore } from '../../../infra/db/stores/connector-breakers.store';

interface Known extends BreakerState {
  at: number;
}

const LOOK_MS = 1000;
const MOST_KNOWN = 5000;

export const BREAKER_RULES = { threshold: 5, openSeconds: 5, probeSeconds: 30 };

/** `probing`: a probe is checking now whether the source is back. */
export type BreakerVerdict = { open: false } | { open: true; waitMs: number; probing: boolean };

/** Breakers as this process knows them: looked up at most each second, told of every failure. */
export class Breakers {
  private readonly known = new Map<string, Known>();
  private readonly looking = new Map<string, Promise<BreakerState>>();

  constructor(private readonly store: ConnectorBreakersStore) {}

  /** Decides whether a request may leave. After the pause one request of all workers is let through as a probe. */
  async passage(breaker: Breaker): Promise<BreakerVerdict> {
    const state = await this.look(breaker);
    if (state.state === 'closed') return { open: false };
    if (state.state === 'half_open') {
      const probe = this.note(breaker, await this.store.act(breaker, 'probe'));
      if (probe.mine || probe.state === 'closed') return { open: false };
      return { open: true, waitMs: probe.wait_ms, probing: probe.state === 'probing' };
    }
    const waitMs = Math.max(0, state.wait_ms - (Date.now() - state.at));
    return { open: true, waitMs, probing: state.state === 'probing' };
  }

  async failed(breaker: Breaker): Promise<void> {
    this.note(breaker, await this.store.act(breaker, 'failed'));
  }

  /** Reports a success after a failure alone: usual calls cost nothing. */
  async succeeded(breaker: Breaker): Promise<void> {
    const known = this.known.get(breaker.key);
    if (known !== undefined && known.failures > 0) this.note(breaker, await this.store.act(breaker, 'ok'));
  }

  private async look(breaker: Breaker): Promise<Known> {
    const known = this.known.get(breaker.key);
    const age = known === undefined ? Infinity : Date.now() - known.at;
    if (known !== undefined && age < LOOK_MS && !(known.state === 'open' && age >= known.wait_ms)) return known;
    return this.note(breaker, await this.lookUp(breaker));
  }

  /** Many that come at once look once. */
  private lookUp(breaker: Breaker): Promise<BreakerState> {
    const under = this.looking.get(breaker.key);
    if (under !== undefined) return under;
    const look = this.store.act(breaker, 'look').finally(() => this.looking.delete(breaker.key));
    this.looking.set(breaker.key, look);
    return look;
  }

  private note(breaker: Breaker, state: BreakerState): Known {
    if (this.known.size > MOST_KNOWN) this.known.clear();
    const known = { ...state, at: Date.now() };
    this.known.set(breaker.key, known);
    return known;
  }
}
