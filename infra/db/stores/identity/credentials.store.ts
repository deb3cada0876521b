import { fields } from '../../clean-params';
import type { Database } from '../../database';

/** Owner and rights of a credential, as they are in the database now. */
export interface CredentialRow {
  user_id: string;
  handle: string;
  kind: 'person' | 'service';
  scopes: string[];
  session_id: string | null;
  key_id: string | null;
  key_scopes: string[] | null;
  read_only: boolean;
  may_decide: boolean;
  objects: string[] | null;
}

export interface LoginAttempt {
  attempt: number | null;
  /** Set where there were too many failures: nothing else is said then. */
  wait_seconds: number | null;
  user_id: string | null;
  hash: string | null;
}

export interface LoginLimits {
  perAccount: number;
  perPeer: number;
  seconds: number;
}

export interface RefreshOutcome {
  outcome: 'ok' | 'unknown' | 'ended' | 'reused';
  user_id: string | null;
  handle: string | null;
  scopes: string[] | null;
  session_id: string | null;
  expires_at: string | null;
}

export interface NewSession {
  id: string;
  ownerId: string;
  /** One of both. */
  secretHash?: string;
  refreshHash?: string;
  client: string | null;
  peer: string;
  seconds: number;
}

const IDENTIFY = 'select * from af_identify($1, $2, $3)';

/** Look-ups before the user is known: one listed function for each secret. It sees hashes, never secrets. */
export class CredentialsStore {
  constructor(private readonly database: Database) {}

  /** Lists those of these sessions and keys that no longer count. */
  async ended(ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.hot<{ id: string }>('select af_ended_credentials($1) as id', [ids]);
    return rows.map(({ id }) => id);
  }

  byKey(hash: string): Promise<CredentialRow | null> {
    return this.identify('key', hash, null);
  }

  byCookie(hash: string): Promise<CredentialRow | null> {
    return this.identify('cookie', hash, null);
  }

  /** The session that an access token names. */
  bySession(sessionId: string, userId: string): Promise<CredentialRow | null> {
    return this.identify('token', sessionId, userId);
  }

  /** Counts as failed until `endLogin`. */
  async beginLogin(handle: string, peer: string, limits: LoginLimits): Promise<LoginAttempt> {
    const [row] = await this.database.hot<LoginAttempt>('select * from af_begin_login($1, $2, $3, $4, $5)', [
      handle,
      peer,
      limits.perAccount,
      limits.perPeer,
      limits.seconds,
    ]);
    return row as LoginAttempt;
  }

  /** The attempt succeeded: earlier failures of the account are forgotten. */
  async endLogin(attempt: number): Promise<void> {
    await this.database.hot('select af_end_login($1)', [attempt]);
  }

  /** False for an account that is not active. */
  async openSession(session: NewSession): Promise<boolean> {
    const { id, ownerId, secretHash, refreshHash, client, peer, seconds } = session;
    const [row] = await this.database.hot<{ opened: boolean }>('select af_open_session($1) as opened', [
      fields({ id, owner: ownerId, secret_hash: secretHash, refresh_hash: refreshHash, client, peer, seconds }),
    ]);
    return row?.opened === true;
  }

  async refresh(hash: string, next: string, graceSeconds: number): Promise<RefreshOutcome> {
    const [row] = await this.database.hot<RefreshOutcome>('select * from af_refresh($1, $2, $3)', [
      hash,
      next,
      graceSeconds,
    ]);
    return row as RefreshOutcome;
  }

  /** Ends every session of the user but `keepSession`. */
  async setPassword(userId: string, hash: string, keepSession: string | null): Promise<void> {
    await this.database.hot('select af_set_password($1, $2, $3)', [userId, hash, keepSession]);
  }

  async register(account: {
    id: string;
    handle: string;
    name: string;
    password: string;
    invite: string | null;
  }): Promise<'ok' | 'taken' | 'invalid'> {
    const [row] = await this.database.hot<{ outcome: 'ok' | 'taken' | 'invalid' }>(
      'select af_register($1, $2, $3, $4, $5) as outcome',
      [account.id, account.handle, account.name, account.password, account.invite],
    );
    return row?.outcome ?? 'invalid';
  }

  private async identify(means: string, ref: string, userId: string | null): Promise<CredentialRow | null> {
    const [row] = await this.database.hot<CredentialRow>(IDENTIFY, [means, ref, userId]);
    return row ?? null;
  }
}
