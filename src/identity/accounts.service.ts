import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { CredentialsStore } from '../../infra/db/stores/identity/credentials.store';
import { LinksStore } from '../../infra/db/stores/identity/links.store';
import { UsersStore, type UserRow } from '../../infra/db/stores/identity/users.store';
import { hashPassword } from '../../infra/identity/password';
import { hashToken } from '../../infra/identity/random-token';
import { Authenticator } from '../access/authenticator';
import type { Identity } from '../access/identity';
import type { ApiSettings } from '../app/settings';
import type { Welcome } from '../app/ports';
import { SETTINGS, WELCOME } from '../app/tokens';
import { auditEntry } from '../audit/audit-entry';
import type { RequestOrigin } from './request-origin';
import { handleTaken, linkInvalid, notFound } from './refusals';
import { noSession, SignInService, type VerifiedPerson } from './sign-in.service';

export interface NewAccount {
  handle: string;
  password: string;
  display_name?: string | undefined;
  invite?: string | undefined;
}

@Injectable()
export class AccountsService {
  constructor(
    private readonly users: UsersStore,
    private readonly credentials: CredentialsStore,
    private readonly links: LinksStore,
    private readonly signIn: SignInService,
    private readonly authenticator: Authenticator,
    private readonly audit: AuditStore,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    @Inject(WELCOME) private readonly welcome: Welcome,
  ) {}

  /** Throws `registration_closed`, `invite_required`, `link_invalid`, `handle_taken`. */
  async register(account: NewAccount, from: RequestOrigin): Promise<VerifiedPerson> {
    this.refuseRegistration(account.invite, from);
    await this.refuseInvite(account.invite);
    const id = randomUUID();
    const name = account.display_name ?? account.handle;
    const outcome = await this.credentials.register({
      id,
      handle: account.handle,
      name,
      password: await hashPassword(account.password),
      invite: account.invite === undefined ? null : hashToken(account.invite),
    });
    if (outcome === 'invalid') throw linkInvalid();
    if (outcome === 'taken') throw handleTaken(account.handle);
    const who = { ownerId: id, actor: account.handle, peer: from.peer, means: 'password', credentialId: null };
    const deed = { action: 'account.register', objectType: 'users', objectId: id, requestId: from.requestId };
    await this.audit.note(auditEntry(who, deed));
    await this.welcome(id);
    return { userId: id, handle: account.handle, by: 'password' };
  }

  /** Ends every other session of the account. Throws `session_required`, `wrong_credentials`. */
  async changePassword(who: Identity, current: string, next: string, from: RequestOrigin): Promise<void> {
    if (who.means === 'key') throw noSession();
    await this.signIn.prove(who.actor, current, from);
    await this.credentials.setPassword(who.ownerId, await hashPassword(next), who.credentialId);
    this.authenticator.forget();
    const deed = { action: 'password.change', objectType: 'users', objectId: who.ownerId, requestId: from.requestId };
    await this.audit.note(auditEntry(who, deed));
  }

  async me(ownerId: string): Promise<UserRow> {
    const user = await this.users.get(ownerId);
    if (user === null) throw notFound('user', ownerId);
    return user;
  }

  /** Checked before a password is hashed, which is expensive: an invented invitation must not cause that work. */
  private async refuseInvite(invite: string | undefined): Promise<void> {
    if (invite === undefined) return;
    const link = await this.links.find(hashToken(invite));
    if (link?.purpose !== 'invite') throw linkInvalid();
  }

  private refuseRegistration(invite: string | undefined, from: RequestOrigin): void {
    const { registration } = this.settings;
    if (registration === 'closed') {
      throw new AppError('registration_closed', 'Registration is closed. Ask an administrator for an account.', {
        category: 'forbidden',
      });
    }
    if (invite === undefined && (registration === 'invite' || !from.local)) {
      throw new AppError('invite_required', 'An account needs an invitation here. Ask an administrator for one.', {
        category: 'forbidden',
      });
    }
  }
}
