import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { GLOBAL_ADMIN } from '../../core/permissions/scopes';
import type { Sql } from '../../infra/db/database';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import type { SeenVersion } from '../../infra/db/row-version';
import { InvitesStore, type InviteRow } from '../../infra/db/stores/identity/invites.store';
import { UsersStore, type UserFilter, type UserRow } from '../../infra/db/stores/identity/users.store';
import type { Page, PageRequest } from '../../infra/db/stores/page';
import { hashToken, PREFIXES, randomToken } from '../../infra/identity/random-token';
import { Authenticator } from '../access/authenticator';
import type { Identity } from '../access/identity';
import { linkUrl } from '../app/link-url';
import { auditEntry, digestOf } from '../audit/audit-entry';
import type { MintedLinkDto } from './dto/auth.dto';
import type { CreatedInviteDto, CreateInviteDto, UserDto } from './dto/user.dto';
import { LinksService } from './links.service';
import type { RequestMeta, RequestOrigin } from './request-origin';
import { checkOnlyVersion } from './only-version';
import { notFound, refuseLimited } from './refusals';
import { inviteView, userView } from './views';

const DAY = 86_400;
const RESET_SECONDS = DAY;
const INVITE_DAYS = 7;

/** Acts of administrators on accounts. The route has asked for the scope; each change and its audit entry are one. */
@Injectable()
export class AdministrationService {
  constructor(
    private readonly users: UsersStore,
    private readonly invites: InvitesStore,
    private readonly links: LinksService,
    private readonly authenticator: Authenticator,
    private readonly audit: AuditStore,
  ) {}

  list(filter: UserFilter): Promise<Page<UserRow>> {
    return this.users.list(filter);
  }

  /** Throws `user_not_found`. */
  async get(id: string): Promise<UserRow> {
    return requireFound(await this.users.get(id), id);
  }

  /** Sets the rights; their service accounts keep those that remain. Throws `user_not_found`, `last_administrator`. */
  setScopes(who: Identity, id: string, scopes: readonly string[], at: RequestMeta): Promise<UserDto> {
    return this.change(who, { id, action: 'user.scopes', at }, async (before, sql) => {
      if (!scopes.includes(GLOBAL_ADMIN)) await this.refuseLast(before, sql);
      await this.users.setScopes(id, scopes, sql);
      await this.users.narrowGrants(id, scopes, sql);
    });
  }

  /** Ends sessions, keys and links at once. Throws `user_not_found`, `last_administrator`. */
  deactivate(who: Identity, id: string, at: RequestMeta): Promise<UserDto> {
    return this.change(who, { id, action: 'user.deactivate', at }, async (before, sql) => {
      await this.refuseLast(before, sql);
      await this.users.deactivate(id, sql);
    });
  }

  /** Throws `user_not_found`, `user_anonymised`. What was revoked stays revoked. */
  reactivate(who: Identity, id: string, at: RequestMeta): Promise<UserDto> {
    return this.change(who, { id, action: 'user.reactivate', at }, async (before, sql) => {
      if (before.status === 'anonymised')
        throw conflict('user_anonymised', 'Nobody can be made of this account again.');
      await this.users.reactivate(id, sql);
    });
  }

  /** Throws `user_not_found`, `user_active`. */
  anonymise(who: Identity, id: string, at: RequestMeta): Promise<UserDto> {
    return this.change(who, { id, action: 'user.anonymise', at }, async (before, sql) => {
      if (before.status === 'active') throw conflict('user_active', 'Deactivate the account first.');
      await this.users.anonymise(id, sql);
    });
  }

  /** A link that sets a new password. Throws `key_is_limited`, `user_not_found`, `user_not_active`. */
  async resetPassword(who: Identity, id: string, { from, once }: RequestMeta): Promise<MintedLinkDto> {
    refuseLimited(who);
    const user = requireFound(await this.users.get(id), id);
    if (user.status !== 'active' || user.kind !== 'person') {
      throw conflict('user_not_active', 'Only an active account of a person has a password.');
    }
    return once.systemTx(async (sql) => {
      const place = { loopback: false, seconds: RESET_SECONDS, from, madeBy: who.ownerId, sql };
      const link = await this.links.mint('password_reset', id, place);
      await this.note(who, { id, action: 'user.reset_password', from }, sql);
      return link;
    });
  }

  /** Throws `key_is_limited`. */
  async invite(who: Identity, wanted: CreateInviteDto, { from, once }: RequestMeta): Promise<CreatedInviteDto> {
    refuseLimited(who);
    const token = randomToken(PREFIXES.link);
    const invite = {
      id: randomUUID(),
      ownerId: who.ownerId,
      hash: hashToken(token),
      handle: wanted.handle ?? null,
      scopes: wanted.scopes ?? [],
      seconds: (wanted.expires_in_days ?? INVITE_DAYS) * DAY,
    };
    return once.systemTx(async (sql) => {
      const made = await this.invites.add(invite, sql);
      const deed = { action: 'invite.create', objectType: 'invites', objectId: made.id, requestId: from.requestId };
      await this.audit.add(auditEntry(who, { ...deed, after: digestOf(made) }), sql);
      return { ...inviteView(made), url: linkUrl(from.base, token) };
    });
  }

  listInvites(ownerId: string, page: PageRequest): Promise<Page<InviteRow>> {
    return this.invites.list(ownerId, page);
  }

  /** Throws `invite_not_found`. */
  async revokeInvite(who: Identity, { id, seen }: { id: string; seen: SeenVersion }, requestId: string): Promise<void> {
    if (!(await this.invites.isOpen(who.ownerId, id))) throw notFound('invite', id);
    checkOnlyVersion(id, seen);
    if (!(await this.invites.revoke(who.ownerId, id))) throw notFound('invite', id);
    const deed = { action: 'invite.revoke', objectType: 'invites', objectId: id, requestId };
    await this.audit.note(auditEntry(who, deed));
  }

  private async change(
    who: Identity,
    { id, action, at: { from, once } }: { id: string; action: string; at: RequestMeta },
    work: (before: UserRow, sql: Sql) => Promise<void>,
  ): Promise<UserDto> {
    const after = await once.systemTx(async (sql) => {
      const before = requireFound(await this.users.get(id, sql, true), id);
      await work(before, sql);
      const changed = requireFound(await this.users.get(id, sql), id);
      await this.note(who, { id, action, from }, sql, { before: digestOf(before), after: digestOf(changed) });
      return userView(changed);
    });
    this.authenticator.forget();
    return after;
  }

  private note(
    who: Identity,
    { id, action, from }: Deed,
    sql: Sql,
    digests: { before?: string | null; after?: string | null } = {},
  ): Promise<void> {
    const deed = { action, objectType: 'users', objectId: id, requestId: from.requestId, ...digests };
    return this.audit.add(auditEntry(who, deed), sql);
  }

  /** Keeps at least one account that can manage accounts. */
  private async refuseLast(user: UserRow, sql: Sql): Promise<void> {
    if (!user.scopes.includes(GLOBAL_ADMIN) || user.status !== 'active') return;
    if ((await this.users.otherAdministrators(user.id, sql)) === 0) {
      throw conflict('last_administrator', 'This is the last administrator. Make somebody else one first.');
    }
  }
}

interface Deed {
  id: string;
  action: string;
  from: RequestOrigin;
}

function requireFound(row: UserRow | null, id: string): UserRow {
  if (row === null) throw notFound('user', id);
  return row;
}

function conflict(code: string, message: string): AppError {
  return new AppError(code, message, { category: 'conflict' });
}
