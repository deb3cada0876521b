import { randomUUID } from 'node:crypto';
import type { Json } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import { fields, json } from '../clean-params';
import { owner, type Database, type Sql } from '../database';

/** A request that may come again. */
export interface KeyedRequest {
  ownerId: string;
  method: string;
  /** The pattern of the path; what stands in its place is in the hash. */
  route: string;
  key: string;
  hash: string;
}

/** The right to carry a request out; a process that lost it cannot store an answer any more. */
export interface Claim extends KeyedRequest {
  claimId: string;
}

export interface StoredAnswer {
  status: number;
  etag: string | null;
  body: Json;
}

export type ClaimResult = { claim: Claim } | { answer: StoredAnswer };

/** A claim of a process that died is free again after this time; a live one that is slower loses it, and its effect. */
const LEASE_S = 60;
const KEPT = `interval '24 hours'`;
const SCOPE = 'owner_id = $1 and method = $2 and route = $3 and key = $4';

/** Takes the key when it is new, expired, or left behind by a process that died. Deletes a few expired keys. */
const CLAIM = `with old as (
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where owner_id = $1 and created_at < clock_timestamp() - ${KEPT}
        and not (${SCOPE}) order by created_at limit 20)))
  insert into idempotency_keys as k (owner_id, method, route, key, request_hash, claim_id, lease_until)
  values ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => ${LEASE_S}))
  on conflict (owner_id, method, route, key) do update
    set request_hash = excluded.request_hash, claim_id = excluded.claim_id, lease_until = excluded.lease_until,
      status = null, etag = null, answer = null, created_at = clock_timestamp()
    where k.created_at < clock_timestamp() - ${KEPT}
      or k.status is null and k.lease_until < clock_timestamp() and k.request_hash = excluded.request_hash
  returning claim_id`;

const READ = `select request_hash, status, etag, answer,
    greatest(1, ceil(extract(epoch from lease_until - clock_timestamp())))::int as wait
  from idempotency_keys where ${SCOPE}`;

interface KeyRow {
  request_hash: string;
  status: number | null;
  etag: string | null;
  answer: Json;
  wait: number;
}

/** Answers of requests with an `Idempotency-Key`. */
export class IdempotencyStore {
  constructor(private readonly database: Database) {}

  /**
   * The right to carry the request out, or the answer that it got before. Throws `idempotency_mismatch`,
   * `idempotency_in_flight`.
   */
  async claim(request: KeyedRequest): Promise<ClaimResult> {
    const claim = { ...request, claimId: randomUUID() };
    const [mine] = await this.database.query(owner(request.ownerId), CLAIM, [
      ...scopeOf(request),
      request.hash,
      claim.claimId,
    ]);
    if (mine !== undefined) return { claim };
    const [row] = await this.database.query<KeyRow>(owner(request.ownerId), READ, scopeOf(request));
    // Given up by another request in this very moment.
    if (row === undefined) throw inFlight(1);
    if (row.request_hash !== request.hash) throw mismatch();
    if (row.status === null) throw inFlight(row.wait);
    return { answer: { status: row.status, etag: row.etag, body: row.answer } };
  }

  /** `sql`: the transaction of the effect. Throws `idempotency_in_flight` when the claim was lost: nothing must happen then. */
  async keep(claim: Claim, answer: StoredAnswer, sql: Sql = this.database.as(owner(claim.ownerId))): Promise<void> {
    const kept = await sql.query(
      `update idempotency_keys set status = $6, etag = $7, answer = $8 where ${SCOPE} and claim_id = $5 returning 1`,
      [...scopeOf(claim), claim.claimId, answer.status, answer.etag, json(answer.body)],
    );
    if (kept.length === 0) throw inFlight(1);
  }

  /** `keep` in a transaction of the platform. */
  async keepAsSystem(claim: Claim, answer: StoredAnswer, sql: Sql): Promise<void> {
    const { ownerId, method, route, key, claimId } = claim;
    const { status, etag, body } = answer;
    const [row] = await sql.query<{ kept: boolean }>('select af_keep_answer($1, $2) as kept', [
      fields({ owner: ownerId, method, route, key, claim: claimId, status, etag }),
      json(body),
    ]);
    if (row?.kept !== true) throw inFlight(1);
  }

  /** Releases a claim without an effect: the next request with this key is the first one again. */
  async release(claim: Claim): Promise<void> {
    await this.database.query(
      owner(claim.ownerId),
      `delete from idempotency_keys where ${SCOPE} and claim_id = $5 and status is null`,
      [...scopeOf(claim), claim.claimId],
    );
  }
}

function scopeOf({ ownerId, method, route, key }: KeyedRequest): string[] {
  return [ownerId, method, route, key];
}

function inFlight(retryAfter: number): AppError {
  return new AppError(
    'idempotency_in_flight',
    'A request with this Idempotency-Key is still being answered. Ask again in a moment with the same key and body.',
    { category: 'conflict', retryable: true, details: { retry_after: retryAfter } },
  );
}

function mismatch(): AppError {
  return new AppError(
    'idempotency_mismatch',
    'This Idempotency-Key was used before with another request. Send the same request, or a new key for a new one.',
    { category: 'validation' },
  );
}
