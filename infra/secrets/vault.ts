import { suggestionOr } from '../../core/base/did-you-mean';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import type { ResolvedSecret, SecretSource } from './secret-source';
import { open, seal } from '../crypto/envelope';
import type { KeyRing } from '../crypto/key-ring';
import type { Sql } from '../db/database';
import type { SeenVersion } from '../db/row-version';
import type { Page } from '../db/stores/page';
import type { BoundCiphertext } from '../db/stores/run-bindings.store';
import type { SecretInfo, SecretListRequest, SecretsStore, StoredCiphertext } from '../db/stores/secrets.store';
import { ANY_HOST } from '../egress/secret-hosts';
import type { SecretMask } from './secret-mask';
import type { Secrets } from './secrets';

export interface VaultDeps {
  store: SecretsStore;
  ring: KeyRing;
  /** Takes every value that passes through here. */
  mask: SecretMask;
  /** `secrets.json` of the local user, read until the next start has taken it in. */
  file: Secrets;
}

const BATCH = 100;

/** Secrets of people: encrypted in the database, bound to owner and name. Values leave it for activities alone. */
export class SecretVault implements SecretSource {
  constructor(private readonly deps: VaultDeps) {}

  /** Throws `secret_not_found`; what the file and the envelope throw passes through. */
  async resolve(ownerId: string, name: string): Promise<ResolvedSecret> {
    const secret = this.fromFile(ownerId, name) ?? (await this.stored(ownerId, name));
    if (secret === undefined) return this.refuse(ownerId, name);
    this.deps.mask.add(secret.value);
    return secret;
  }

  /** A secret of a shared profile's owner, for one call of a run; its ciphertext comes from the binding. */
  openBound(name: string, row: BoundCiphertext): ResolvedSecret {
    const sealed = { keyId: row.key_id, bytes: row.ciphertext };
    const value = open(this.deps.ring, 'secrets', sealed, [row.owner_id, name]).toString('utf8');
    this.deps.mask.add(value);
    return { name, value, allowedHosts: row.allowed_hosts, version: row.version, ownerId: row.owner_id };
  }

  /** Throws `secret_exists`. `sql`: the transaction that it belongs to. */
  create(
    ownerId: string,
    name: string,
    secret: { value: string; allowedHosts: readonly string[] },
    sql?: Sql,
  ): Promise<SecretInfo> {
    const allowed_hosts = [...secret.allowedHosts];
    return this.deps.store.create(ownerId, name, { ...this.sealed(ownerId, name, secret.value), allowed_hosts }, sql);
  }

  /** Throws `secret_not_found`. */
  async rotate(
    ownerId: string,
    name: string,
    secret: { value: string; allowedHosts?: readonly string[] | undefined },
    sql?: Sql,
  ): Promise<SecretInfo> {
    const hosts = secret.allowedHosts === undefined ? {} : { allowed_hosts: [...secret.allowedHosts] };
    const sealed = this.sealed(ownerId, name, secret.value);
    const row = await this.deps.store.rotate(ownerId, name, { ...sealed, ...hosts }, sql);
    if (row === null) return this.refuse(ownerId, name, sql);
    return row;
  }

  /** Throws `secret_not_found`, and what `checkSeen` throws. */
  async delete(ownerId: string, name: string, seen: SeenVersion): Promise<void> {
    if (!(await this.deps.store.delete(ownerId, name, seen))) await this.refuse(ownerId, name);
  }

  /** Facts of a secret that may be shown. Throws `secret_not_found`. */
  async info(ownerId: string, name: string): Promise<SecretInfo> {
    const row = await this.deps.store.get(ownerId, name);
    if (row === null) return this.refuse(ownerId, name);
    return row;
  }

  list(ownerId: string, page: SecretListRequest): Promise<Page<SecretInfo>> {
    return this.deps.store.list(ownerId, page);
  }

  /**
   * Encrypts every row that is under another key again, under the current one. May be repeated, also during writes: a
   * row that changes meanwhile is encrypted by its writer. Returns the number of changed rows.
   */
  async reencryptAll(): Promise<number> {
    const { store, ring } = this.deps;
    const current = ring.current;
    let changed = 0;
    let last: string | null = null;
    for (;;) {
      const rows = await store.underOtherKeys(current, last, BATCH);
      for (const row of rows) {
        const about = [row.owner_id, row.name];
        const value = open(ring, 'secrets', { keyId: row.key_id, bytes: row.ciphertext }, about);
        if (await store.reencrypt(row.id, row, columnsOf(seal(ring, 'secrets', value, about)))) changed += 1;
        last = row.id;
      }
      if (rows.length < BATCH) return changed;
    }
  }

  /** Sets the secret's value and makes the secret if it is missing. Changes nothing if it has the value already. */
  async put(ownerId: string, name: string, value: string): Promise<'created' | 'rotated' | 'unchanged'> {
    const known = await this.stored(ownerId, name);
    if (known?.value === value) return 'unchanged';
    if (known !== undefined) {
      await this.rotate(ownerId, name, { value });
      return 'rotated';
    }
    await this.create(ownerId, name, { value, allowedHosts: [ANY_HOST] });
    return 'created';
  }

  private fromFile(ownerId: string, name: string): ResolvedSecret | undefined {
    const value = ownerId === LOCAL_USER_ID ? this.deps.file.find(name) : undefined;
    return value === undefined ? undefined : { name, value, allowedHosts: [ANY_HOST] };
  }

  private async stored(ownerId: string, name: string): Promise<ResolvedSecret | undefined> {
    const row = await this.deps.store.find(ownerId, name);
    if (row === null) return undefined;
    const bytes = open(this.deps.ring, 'secrets', { keyId: row.key_id, bytes: row.ciphertext }, [ownerId, name]);
    return { name, value: bytes.toString('utf8'), allowedHosts: row.allowed_hosts, version: row.value_version };
  }

  private async refuse(ownerId: string, name: string, sql?: Sql): Promise<never> {
    const known = await this.deps.store.names(ownerId, sql);
    const way = suggestionOr(name, known, `Store it with: af secrets set ${name} --hosts <host>`);
    throw new AppError('secret_not_found', `There is no secret "${name}". ${way}`, { category: 'not_found' });
  }

  private sealed(ownerId: string, name: string, value: string): StoredCiphertext {
    this.deps.mask.add(value);
    return columnsOf(seal(this.deps.ring, 'secrets', Buffer.from(value, 'utf8'), [ownerId, name]));
  }
}

function columnsOf(sealed: { keyId: string; bytes: Buffer }): StoredCiphertext {
  return { key_id: sealed.keyId, ciphertext: sealed.bytes };
}
