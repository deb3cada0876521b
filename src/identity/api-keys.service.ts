import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { excessScopes } from '../../core/permissions/key-rights';
import type { Sql } from '../../infra/db/database';
import type { SeenVersion } from '../../infra/db/row-version';
import { ApiKeysStore, type ApiKeyRow, type NewApiKey } from '../../infra/db/stores/identity/api-keys.store';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import type { Page, PageRequest } from '../../infra/db/stores/page';
import { mintKey } from '../../infra/identity/local-key';
import { Authenticator } from '../access/authenticator';
import type { Identity } from '../access/identity';
import { auditEntry, digestOf } from '../audit/audit-entry';
import type { CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto';
import { checkOnlyVersion } from './only-version';
import type { RequestMeta } from './request-origin';
import { notFound, refuseLimited, scopesExceeded } from './refusals';
import { keyView } from './views';

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysStore,
    private readonly authenticator: Authenticator,
    private readonly audit: AuditStore,
  ) {}

  /**
   * `owner`: the account that the key is for, with its scopes. Throws `key_is_limited`, `scopes_exceeded`,
   * `expires_in_the_past`.
   */
  async create(
    who: Identity,
    owner: { id: string; scopes: readonly string[] },
    wanted: CreateApiKeyDto,
    { from, once }: RequestMeta,
  ): Promise<CreatedApiKeyDto> {
    refuseLimited(who);
    const excess = excessScopes(wanted.scopes ?? [], owner.scopes);
    if (excess.length > 0) throw scopesExceeded(excess);
    if (wanted.expires_at !== undefined && Date.parse(wanted.expires_at) <= Date.now()) throw inThePast();
    const { key, hash, prefix } = mintKey();
    const made: NewApiKey = {
      id: randomUUID(),
      owner_id: owner.id,
      name: wanted.name,
      prefix,
      hash,
      scopes: wanted.scopes ?? null,
      read_only: wanted.read_only ?? false,
      may_decide: wanted.may_decide ?? false,
      objects: wanted.objects?.map((id) => id.toLowerCase()) ?? null,
      expires_at: wanted.expires_at ?? null,
    };
    const write = async (sql: Sql): Promise<CreatedApiKeyDto> => {
      const row = await this.keys.add(made, sql);
      const deed = { action: 'api_key.create', objectType: 'api-keys', objectId: row.id, requestId: from.requestId };
      await this.audit.add(auditEntry(who, { ...deed, after: digestOf(row) }), sql);
      return { ...keyView(row), key };
    };
    // Rows of a service account are not the caller's, who has been found to manage it.
    return owner.id === who.ownerId ? once.tx(write) : once.systemTx(write);
  }

  list(ownerId: string, page: PageRequest): Promise<Page<ApiKeyRow>> {
    return this.keys.list(ownerId, page);
  }

  /** Throws `api_key_not_found`. */
  async get(ownerId: string, id: string): Promise<ApiKeyRow> {
    const row = await this.keys.get(ownerId, id);
    if (row === null) throw notFound('api key', id);
    return row;
  }

  /** Revokes a key: it is refused from now on. Throws `api_key_not_found`, and what `checkSeen` throws. */
  async revoke(
    who: Identity,
    { ownerId, id, seen }: { ownerId: string; id: string; seen: SeenVersion },
    requestId: string,
  ): Promise<void> {
    const row = await this.get(ownerId, id);
    checkOnlyVersion(id, seen);
    await this.keys.revoke(ownerId, id);
    this.authenticator.forget();
    const deed = { action: 'api_key.revoke', objectType: 'api-keys', objectId: id, requestId };
    await this.audit.note(auditEntry(who, { ...deed, before: digestOf(row) }));
  }
}

function inThePast(): AppError {
  return new AppError('expires_in_the_past', 'expires_at lies in the past. Name a moment to come, or leave it out.', {
    category: 'validation',
  });
}
