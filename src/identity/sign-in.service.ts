import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { CredentialsStore } from '../../infra/db/stores/identity/credentials.store';
import { SessionsStore } from '../../infra/db/stores/identity/sessions.store';
import { ACCESS_SECONDS, AccessTokens } from '../../infra/identity/access-tokens';
import { isPassword } from '../../infra/identity/password';
import { hashToken, isToken, PREFIXES, randomToken } from '../../infra/identity/random-token';
import { Authenticator } from '../access/authenticator';
import type { Identity } from '../access/identity';
import { auditEntry } from '../audit/audit-entry';
import type { SignedInDto } from './dto/auth.dto';
import { networkOf } from './peer-network';
import type { RequestOrigin } from './request-origin';

export const SESSION_SECONDS = 30 * 86_400;
/** Two tabs of one browser may ask with the same token so long after each other. */
const GRACE_SECONDS = 10;
const LIMITS = { perAccount: 10, perPeer: 100, seconds: 900 };

/** Person who has proved who they are. */
export interface VerifiedPerson {
  userId: string;
  handle: string;
  by: 'password' | 'link';
}

/** An answer, and the secret of the cookie where there is one. */
export interface SignedIn {
  body: SignedInDto;
  cookie?: string;
}

@Injectable()
export class SignInService {
  constructor(
    private readonly credentials: CredentialsStore,
    private readonly sessions: SessionsStore,
    private readonly tokens: AccessTokens,
    private readonly authenticator: Authenticator,
    private readonly audit: AuditStore,
  ) {}

  /** Throws `too_many_attempts`, `wrong_credentials`. */
  async login(handle: string, password: string, cookie: boolean, from: RequestOrigin): Promise<SignedIn> {
    const userId = await this.prove(handle.toLowerCase(), password, from);
    return this.open({ userId, handle: handle.toLowerCase(), by: 'password' }, cookie, from);
  }

  /** The account whose password this is. Every try counts, for the account and for the address. */
  async prove(handle: string, password: string, from: RequestOrigin): Promise<string> {
    const begun = await this.credentials.beginLogin(handle, networkOf(from.peer), LIMITS);
    if (begun.wait_seconds !== null) throw tooMany(begun.wait_seconds);
    const right = await isPassword(password, begun.hash);
    if (!right || begun.user_id === null || begun.attempt === null) throw wrong();
    await this.credentials.endLogin(begun.attempt);
    return begun.user_id;
  }

  /** A new session: in a cookie, or as a pair of tokens. */
  async open(proven: VerifiedPerson, cookie: boolean, from: RequestOrigin): Promise<SignedIn> {
    const id = randomUUID();
    const secret = randomToken(cookie ? PREFIXES.session : PREFIXES.refresh);
    const hash = hashToken(secret);
    const opened = await this.credentials.openSession({
      id,
      ownerId: proven.userId,
      ...(cookie ? { secretHash: hash } : { refreshHash: hash }),
      client: from.client,
      peer: from.peer,
      seconds: SESSION_SECONDS,
    });
    if (!opened) throw wrong();
    const who = { ownerId: proven.userId, actor: proven.handle, peer: from.peer, means: proven.by, credentialId: id };
    const deed = { action: 'session.open', objectType: 'sessions', objectId: id, requestId: from.requestId };
    await this.audit.note(auditEntry(who, deed));
    const account = { user_id: proven.userId, handle: proven.handle };
    if (cookie) return { body: account, cookie: secret };
    return { body: { ...account, ...(await this.pair(proven.userId, id, secret)) } };
  }

  /** Throws `invalid_refresh_token`. */
  async refresh(token: string): Promise<SignedInDto> {
    if (!isToken(token, PREFIXES.refresh)) throw notRefreshed();
    const next = randomToken(PREFIXES.refresh);
    const done = await this.credentials.refresh(hashToken(token), hashToken(next), GRACE_SECONDS);
    const { outcome, user_id: userId, session_id: sessionId, handle } = done;
    if (outcome === 'reused') this.authenticator.forget();
    if (outcome !== 'ok' || userId === null || sessionId === null || handle === null) throw notRefreshed();
    return { user_id: userId, handle, ...(await this.pair(userId, sessionId, next)) };
  }

  /** Ends the session of this call. A key has none. */
  async logout(who: Identity): Promise<void> {
    if (who.means === 'key') throw noSession();
    await this.sessions.revoke(who.ownerId, who.credentialId, 'signed_out');
    this.authenticator.forget();
  }

  private async pair(userId: string, sessionId: string, refreshToken: string): Promise<Partial<SignedInDto>> {
    return {
      access_token: await this.tokens.issue(userId, sessionId),
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: refreshToken,
    };
  }
}

function tooMany(seconds: number): AppError {
  return new AppError('too_many_attempts', `Too many failed attempts. Try again in ${seconds} s.`, {
    category: 'rate_limited',
    retryable: true,
    details: { retry_after: seconds },
  });
}

/** The same for an unknown handle, a wrong password and an account that is not active. */
function wrong(): AppError {
  return new AppError('wrong_credentials', 'The handle or the password is wrong.', { category: 'unauthenticated' });
}

function notRefreshed(): AppError {
  return new AppError('invalid_refresh_token', 'This refresh token is not (or no longer) good. Sign in again.', {
    category: 'unauthenticated',
  });
}

export function noSession(): AppError {
  return new AppError('session_required', 'This needs a session: sign in with handle and password.', {
    category: 'forbidden',
  });
}
