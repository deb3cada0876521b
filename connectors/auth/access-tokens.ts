import { randomUUID } from 'node:crypto';
import { pause } from '../runtime/limits/pause';

/** Identity of a token: its owner, and a digest of everything else that makes it a different one. */
export interface TokenSlot {
  ownerId: string;
  key: string;
}

/** Token of a token service, and how long it may be used. */
export interface FetchedToken {
  value: string;
  seconds: number;
}

export interface IssuedToken extends FetchedToken {
  /** Tells one token of a slot from the next. */
  id: string;
}

/** Tokens that all workers share. Of several that ask for a missing one, one gets the claim and fetches it. */
export interface SharedTokens {
  claim(slot: TokenSlot, claimId: string): Promise<IssuedToken | 'claimed' | 'busy'>;
  /** Stores the claim's token for all. */
  put(slot: TokenSlot, claimId: string, token: IssuedToken): Promise<void>;
  /** Gives up the claim without a token. */
  release(slot: TokenSlot, claimId: string): Promise<void>;
  drop(slot: TokenSlot, tokenId: string): Promise<void>;
}

interface Flight {
  token: Promise<IssuedToken>;
  signal: AbortSignal;
}

const MOST = 1_000;
/** Interval in which a worker looks whether another one has the token. */
const LOOK_MS = 100;

/**
 * Access tokens of one process: kept until they expire, fetched once however many ask, in this process (one promise) and
 * among all of them (a claim in the shared store).
 */
export class AccessTokens {
  private readonly kept = new Map<string, IssuedToken & { until: number }>();
  private readonly flights = new Map<string, Flight>();

  constructor(private readonly shared: SharedTokens) {}

  /** Rejects with what `fetchToken` throws, or with the reason of `signal`. */
  async get(slot: TokenSlot, fetchToken: () => Promise<FetchedToken>, signal: AbortSignal): Promise<IssuedToken> {
    const name = nameOf(slot);
    for (;;) {
      signal.throwIfAborted();
      const kept = this.kept.get(name);
      if (kept !== undefined && kept.until > performance.now()) return kept;
      const flight = this.flights.get(name) ?? this.start(slot, fetchToken, signal);
      try {
        return await unlessAborted(flight.token, signal);
      } catch (error) {
        // The call that began the fetch may have been cancelled: that is no failure of the others.
        if (flight.signal === signal || !flight.signal.aborted) throw error;
      }
    }
  }

  /** Drops a token that was refused. A newer one stays. */
  async drop(slot: TokenSlot, tokenId: string): Promise<void> {
    const name = nameOf(slot);
    if (this.kept.get(name)?.id === tokenId) this.kept.delete(name);
    await this.shared.drop(slot, tokenId);
  }

  private start(slot: TokenSlot, fetchToken: () => Promise<FetchedToken>, signal: AbortSignal): Flight {
    const name = nameOf(slot);
    const flight = { token: this.obtain(slot, fetchToken, signal), signal };
    this.flights.set(name, flight);
    flight.token.then(
      (token) => this.keep(name, token),
      () => undefined,
    );
    const landed = (): boolean => this.flights.delete(name);
    flight.token.then(landed, landed);
    return flight;
  }

  private keep(name: string, token: IssuedToken): void {
    this.kept.delete(name);
    this.kept.set(name, { ...token, until: performance.now() + token.seconds * 1000 });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST && oldest !== undefined) this.kept.delete(oldest);
  }

  private async obtain(
    slot: TokenSlot,
    fetchToken: () => Promise<FetchedToken>,
    signal: AbortSignal,
  ): Promise<IssuedToken> {
    const id = randomUUID();
    for (;;) {
      const found = await this.shared.claim(slot, id);
      if (found === 'claimed') return this.fetchClaimed({ slot, id }, fetchToken);
      if (found !== 'busy') return found;
      await pause(LOOK_MS, signal);
    }
  }

  private async fetchClaimed(
    { slot, id }: { slot: TokenSlot; id: string },
    fetchToken: () => Promise<FetchedToken>,
  ): Promise<IssuedToken> {
    try {
      const token = { id, ...(await fetchToken()) };
      await this.shared.put(slot, id, token);
      return token;
    } catch (error) {
      // Frees the claim at once instead of at the end of the lease. An error here says less than the first one.
      await this.shared.release(slot, id).catch(() => undefined);
      throw error;
    }
  }
}

function nameOf(slot: TokenSlot): string {
  return `${slot.ownerId}/${slot.key}`;
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
