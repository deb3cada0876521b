import { owner, type Database } from '../database';

/** A token as it is kept: encrypted, with the seconds that it may still be used. */
export interface StoredToken {
  token_id: string;
  ciphertext: Buffer;
  key_id: string;
  seconds: number;
}

/** Longer than a token service takes, shorter than a run would like to wait for a lost worker. */
const LEASE = `interval '30 seconds'`;
/** Rows that nobody has used for so long are of secrets that were changed or deleted. */
const FORGOTTEN = `interval '1 day'`;

interface ClaimRow {
  claimed: boolean;
  token_id: string | null;
  ciphertext: string | null;
  key_id: string | null;
  seconds: number | null;
}

/** Access tokens by owner and slot. Knows neither keys nor values. */
export class AccessTokensStore {
  constructor(private readonly database: Database) {}

  /** Returns the stored token; else `claimed` to the caller that is to fetch it, and `busy` to all others. */
  async claim(ownerId: string, slot: string, claimId: string): Promise<StoredToken | 'claimed' | 'busy'> {
    const [row] = await this.database.query<ClaimRow>(
      owner(ownerId),
      `with there as (
         select token_id, encode(ciphertext, 'base64') as ciphertext, key_id,
            extract(epoch from expires_at - clock_timestamp())::float8 as seconds
           from access_tokens where owner_id = $1 and slot = $2 and expires_at > clock_timestamp()
       ), mine as (
         insert into access_tokens (owner_id, slot, claim_id, lease_until)
         select $1, $2, $3, clock_timestamp() + ${LEASE} where not exists (select 1 from there)
         on conflict (owner_id, slot) do update set claim_id = excluded.claim_id, lease_until = excluded.lease_until
           where (access_tokens.expires_at is null or access_tokens.expires_at <= clock_timestamp())
             and (access_tokens.lease_until is null or access_tokens.lease_until <= clock_timestamp())
         returning 1
       )
       select exists (select 1 from mine) as claimed, there.* from (values (1)) one left join there on true`,
      [ownerId, slot, claimId],
    );
    if (row?.claimed === true) return 'claimed';
    return row === undefined ? 'busy' : tokenOf(row);
  }

  /** The claim's token, now everybody's. Nothing happens when the claim is no longer the newest. */
  async put(ownerId: string, slot: string, claimId: string, token: StoredToken): Promise<void> {
    await this.database.query(
      owner(ownerId),
      `with old as (
         delete from access_tokens where owner_id = $1 and slot <> $2
           and greatest(expires_at, lease_until) < clock_timestamp() - ${FORGOTTEN}
       )
       update access_tokens set token_id = $4, ciphertext = $5, key_id = $6,
          expires_at = clock_timestamp() + make_interval(secs => $7), claim_id = null, lease_until = null
        where owner_id = $1 and slot = $2 and claim_id = $3`,
      [ownerId, slot, claimId, token.token_id, token.ciphertext, token.key_id, token.seconds],
    );
  }

  /** Releases the claim without a token: the next caller may try. */
  async release(ownerId: string, slot: string, claimId: string): Promise<void> {
    await this.database.query(
      owner(ownerId),
      'delete from access_tokens where owner_id = $1 and slot = $2 and claim_id = $3',
      [ownerId, slot, claimId],
    );
  }

  /** Drops a token that the source refused. A newer token stays. */
  async drop(ownerId: string, slot: string, tokenId: string): Promise<void> {
    await this.database.query(
      owner(ownerId),
      'delete from access_tokens where owner_id = $1 and slot = $2 and token_id = $3',
      [ownerId, slot, tokenId],
    );
  }
}

function tokenOf({ token_id, ciphertext, key_id, seconds }: ClaimRow): StoredToken | 'busy' {
  return token_id === null || ciphertext === null || key_id === null || seconds === null
    ? 'busy'
    : { token_id, ciphertext: Buffer.from(ciphertext, 'base64'), key_id, seconds };
}
