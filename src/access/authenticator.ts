import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { effectiveScopes } from '../../core/permissions/key-rights';
import { CredentialsStore, type CredentialRow } from '../../infra/db/stores/identity/credentials.store';
import { AccessTokens } from '../../infra/identity/access-tokens';
import { hashToken, isToken, PREFIXES } from '../../infra/identity/random-token';
import { clientKindOf } from '../http/caller';
import { credentialOf, refuseForgedCookie, type Credential } from './credential';
import { peerOf, type CallerInfo, type Identity } from './identity';

/** Identity by a credential, without the fields that a single request adds. */
type Known = Omit<Identity, 'via' | 'peer'>;

interface Entry {
  until: number;
  expiresAt: number;
  known: Known;
}

/** Credential that a caller showed at the start of a request. */
interface Shown {
  credential: Credential;
  credentialId: string;
  /** Expiry of an access token; its session may go on. */
  expiresAt: number;
}

/** Age of rights up to which reads use them. */
const READS_MS = 5_000;
const MOST = 5_000;

/** Identifies callers by their credentials, with the database. */
@Injectable()
export class Authenticator {
  private readonly recent = new Map<string, Entry>();
  private readonly shown = new WeakMap<CallerInfo, Shown>();

  constructor(
    private readonly credentials: CredentialsStore,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * Identifies the caller of a request. `fresh`: by the rights of this moment. Throws `unauthenticated`,
   * `ambiguous_credentials`, `invalid_credential`, `origin_missing`.
   */
  async authenticate(request: IncomingMessage, fresh: boolean): Promise<Identity> {
    const credential = credentialOf(request.headers);
    if (credential === undefined) throw unauthenticated();
    if (credential.means === 'session') refuseForgedCookie(request.method ?? '', request.headers);
    const entry = await this.identify(credential, fresh);
    if (entry === undefined) throw invalidCredential();
    const { known, expiresAt } = entry;
    const identity = { ...known, via: clientKindOf(request.headers['x-af-client']), peer: peerOf(request) };
    this.shown.set(identity, { credential, credentialId: known.credentialId, expiresAt });
    return identity;
  }

  /**
   * Tells streams and sockets, which ask again while they are open, whether the credential shown at their start is
   * still valid.
   */
  async stillCounts(caller: CallerInfo): Promise<boolean> {
    const shown = this.shown.get(caller);
    return shown !== undefined && (await this.identify(shown.credential, false)) !== undefined;
  }

  /** Credential of a caller; empty for callers without a request. */
  shownBy(caller: CallerInfo): Partial<Pick<Shown, 'credentialId' | 'expiresAt'>> {
    return this.shown.get(caller) ?? {};
  }

  /** Undefined for what is unknown, expired or revoked. */
  private async identify(credential: Credential, fresh: boolean): Promise<Entry | undefined> {
    const name = `${credential.means} ${hashToken(credential.secret)}`;
    const entry = this.recent.get(name);
    if (!fresh && entry !== undefined && entry.until > Date.now()) return entry;
    this.recent.delete(name);
    const found = await this.look(credential);
    if (found === undefined) return undefined;
    const { expiresAt } = found;
    const kept = {
      known: knownOf(credential.means, found.row),
      expiresAt,
      until: Math.min(Date.now() + READS_MS, expiresAt),
    };
    if (this.recent.size >= MOST) this.recent.clear();
    this.recent.set(name, kept);
    return kept;
  }

  /** Forgets cached rights after a change here, so the next read asks the database again. */
  forget(): void {
    this.recent.clear();
  }

  private async look({ means, secret }: Credential): Promise<{ row: CredentialRow; expiresAt: number } | undefined> {
    if (means === 'token') return this.lookToken(secret);
    if (!isToken(secret, means === 'key' ? PREFIXES.key : PREFIXES.session)) return undefined;
    const hash = hashToken(secret);
    const row = await (means === 'key' ? this.credentials.byKey(hash) : this.credentials.byCookie(hash));
    return row === null ? undefined : { row, expiresAt: Infinity };
  }

  private async lookToken(token: string): Promise<{ row: CredentialRow; expiresAt: number } | undefined> {
    const claims = await this.tokens.read(token);
    if (claims === undefined) return undefined;
    const row = await this.credentials.bySession(claims.sessionId, claims.userId);
    return row === null ? undefined : { row, expiresAt: claims.expiresAt };
  }
}

function knownOf(means: Identity['means'], row: CredentialRow): Known {
  return {
    ownerId: row.user_id,
    actor: row.handle,
    kind: row.kind,
    scopes: effectiveScopes({ scopes: row.key_scopes }, row.scopes),
    means,
    credentialId: row.key_id ?? row.session_id ?? '',
    ...(row.key_id === null ? {} : { keyId: row.key_id }),
    readOnly: row.read_only,
    mayDecide: row.may_decide,
    objects: row.objects,
    limited: row.key_scopes !== null || row.read_only || !row.may_decide || row.objects !== null,
  };
}

function unauthenticated(): AppError {
  return new AppError(
    'unauthenticated',
    'Say who you are: an API key in the header X-API-Key, or an access token in Authorization: Bearer.',
    { category: 'unauthenticated' },
  );
}

function invalidCredential(): AppError {
  return new AppError(
    'invalid_credential',
    'This credential is unknown, has expired or was revoked, or its account is no longer active. Sign in again, or use another key.',
    { category: 'unauthenticated' },
  );
}
