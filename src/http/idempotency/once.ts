import type { FastifyRequest } from 'fastify';
import type { Json } from '../../../core/base/json';
import { owner, SYSTEM, type Database, type Principal, type Sql } from '../../../infra/db/database';
import type { Claim, IdempotencyStore, StoredAnswer } from '../../../infra/db/stores/idempotency.store';
import { VersionedBody } from '../etag';

/** Makes the effect of a handler, so that it happens once for one `Idempotency-Key`. */
export interface Once {
  /**
   * The effect and the answer to it in one transaction of the caller's. `fn` gives what the handler returns; it does nothing
   * but SQL.
   */
  tx<Answer>(fn: (sql: Sql) => Promise<Answer>): Promise<Answer>;

  /** The same as the platform, for what happens to accounts: the use case has read the caller's rights. */
  systemTx<Answer>(fn: (sql: Sql) => Promise<Answer>): Promise<Answer>;
}

const pending = new WeakMap<FastifyRequest, Once>();

export function onceOf(request: FastifyRequest): Once {
  const once = pending.get(request);
  if (once === undefined) throw new Error('The handler takes @OnceOnly() but is not @Idempotent().');
  return once;
}

export function setOnce(request: FastifyRequest, once: Once): void {
  pending.set(request, once);
}

/** Transactions without a key, as any other. */
export function unkeyedOnce(database: Database, ownerId: string): Once {
  return { tx: (fn) => database.tx(owner(ownerId), fn), systemTx: (fn) => database.tx(SYSTEM, fn) };
}

interface Keyed {
  database: Database;
  store: IdempotencyStore;
  claim: Claim;
  /** Status of the answer; it is known when the effect is made. */
  status: () => number;
  shownOnce: readonly string[];
}

/** A request that holds the claim on its key. */
export class KeyedOnce implements Once {
  private kept = false;

  constructor(private readonly keyed: Keyed) {}

  tx<Answer>(fn: (sql: Sql) => Promise<Answer>): Promise<Answer> {
    return this.as(owner(this.keyed.claim.ownerId), 'keep', fn);
  }

  systemTx<Answer>(fn: (sql: Sql) => Promise<Answer>): Promise<Answer> {
    return this.as(SYSTEM, 'keepAsSystem', fn);
  }

  private async as<Answer>(
    who: Principal,
    keep: 'keep' | 'keepAsSystem',
    fn: (sql: Sql) => Promise<Answer>,
  ): Promise<Answer> {
    const { database, store, claim } = this.keyed;
    const answer = await database.tx(who, async (sql) => {
      const made = await fn(sql);
      await store[keep](claim, this.keepable(made), sql);
      return made;
    });
    this.kept = true;
    return answer;
  }

  /** The handler is done. An effect that was no transaction of ours is noted here. */
  async settle(answer: unknown): Promise<void> {
    if (!this.kept) await this.keyed.store.keep(this.keyed.claim, this.keepable(answer));
  }

  /** The handler failed. What is committed stays. */
  async giveUp(): Promise<void> {
    if (!this.kept) await this.keyed.store.release(this.keyed.claim);
  }

  private keepable(answer: unknown): StoredAnswer {
    const { status, shownOnce } = this.keyed;
    const versioned = answer instanceof VersionedBody;
    const body = (versioned ? answer.body : answer) as Json | undefined;
    return { status: status(), etag: versioned ? answer.etag : null, body: omitFields(body ?? null, shownOnce) };
  }
}

function omitFields(body: Json, fields: readonly string[]): Json {
  if (fields.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)));
}
