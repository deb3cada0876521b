import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { excessScopes } from '../../core/permissions/key-rights';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import type { SeenVersion } from '../../infra/db/row-version';
import { UsersStore, type UserRow } from '../../infra/db/stores/identity/users.store';
import type { Page, PageRequest } from '../../infra/db/stores/page';
import { Authenticator } from '../access/authenticator';
import type { Identity } from '../access/identity';
import { auditEntry, digestOf } from '../audit/audit-entry';
import type { CreateServiceAccountDto, UserDto } from './dto/user.dto';
import { checkOnlyVersion } from './only-version';
import type { RequestMeta } from './request-origin';
import { handleTaken, notFound, refuseLimited, scopesExceeded } from './refusals';
import { userView } from './views';

/** Accounts of programs: each belongs to its maker, has its own rows, and signs in by keys only. */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly users: UsersStore,
    private readonly authenticator: Authenticator,
    private readonly audit: AuditStore,
  ) {}

  /** Throws `key_is_limited`, `person_needed`, `scopes_exceeded`, `handle_taken`. */
  async create(who: Identity, wanted: CreateServiceAccountDto, { from, once }: RequestMeta): Promise<UserDto> {
    refuseLimited(who);
    if (who.kind === 'service') throw personNeeded();
    const scopes = wanted.scopes ?? [];
    const { handle, display_name = handle } = wanted;
    const account = { id: randomUUID(), handle, display_name, scopes, managed_by: who.ownerId };
    return once.systemTx(async (sql) => {
      // Lock against a change of the maker's rights at this moment, which changes existing accounts only.
      const maker = await this.users.get(who.ownerId, sql, true);
      if (maker?.status !== 'active') throw notFound('user', who.ownerId);
      const excess = excessScopes(scopes, maker.scopes);
      if (excess.length > 0) throw scopesExceeded(excess);
      const row = await this.users.addService(account, sql);
      if (row === null) throw handleTaken(handle);
      const deed = {
        action: 'service_account.create',
        objectType: 'users',
        objectId: row.id,
        requestId: from.requestId,
      };
      await this.audit.add(auditEntry(who, { ...deed, after: digestOf(row) }), sql);
      return userView(row);
    });
  }

  list(ownerId: string, page: PageRequest): Promise<Page<UserRow>> {
    return this.users.list({ ...page, kind: 'service', managedBy: ownerId });
  }

  /** One of the caller's own. Throws `service_account_not_found`. */
  async get(ownerId: string, id: string): Promise<UserRow> {
    const row = await this.users.get(id);
    if (row === null || row.managed_by !== ownerId) throw notFound('service account', id);
    return row;
  }

  /**
   * Deactivates an account: its keys are refused from now on. Throws `service_account_not_found`, and what `checkSeen`
   * throws.
   */
  async deactivate(who: Identity, { id, seen }: { id: string; seen: SeenVersion }, requestId: string): Promise<void> {
    const before = await this.get(who.ownerId, id);
    checkOnlyVersion(id, seen);
    await this.users.tx(async (sql) => {
      await this.users.deactivate(id, sql);
      const deed = { action: 'service_account.deactivate', objectType: 'users', objectId: id, requestId };
      await this.audit.add(auditEntry(who, { ...deed, before: digestOf(before) }), sql);
    });
    this.authenticator.forget();
  }
}

/** A service account's own service account would be left when the person behind both goes. */
function personNeeded(): AppError {
  return new AppError('person_needed', 'A service account makes no service accounts. A person does.', {
    category: 'forbidden',
  });
}
