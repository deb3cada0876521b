import { AppError } from '../../core/errors/app-error';
import type { MasterKeysStore, MasterKeyUse } from '../db/stores/master-keys.store';
import type { SecretVault } from '../secrets/vault';
import { checkKeys } from './check-keys';
import type { KeyRing } from './key-ring';

export interface KeyRotationDeps {
  ring: KeyRing;
  keys: MasterKeysStore;
  vault: SecretVault;
}

/** The life of master keys: a new one becomes current, rows follow it, an old one is retired. */
export class KeyRotation {
  constructor(private readonly deps: KeyRotationDeps) {}

  /** Takes up keys that were added to the file, and encrypts every secret under the current one. */
  async rotate(): Promise<{ current: string; reencrypted: number }> {
    const { ring, keys, vault } = this.deps;
    ring.refresh();
    await checkKeys(ring, keys);
    return { current: ring.current, reencrypted: await vault.reencryptAll() };
  }

  async list(): Promise<(MasterKeyUse & { current: boolean; available: boolean })[]> {
    const { ring, keys } = this.deps;
    const rows = await keys.uses();
    return rows.map((row) => ({ ...row, current: row.id === ring.current, available: ring.has(row.id) }));
  }

  /**
   * Says that a key need not be there any more. Throws `master_key_not_found`, or `master_key_in_use` for the current one
   * and for one that secrets are under. Histories under it can no longer be read once it is gone.
   */
  async retire(id: string): Promise<void> {
    const { ring, keys } = this.deps;
    const use = (await keys.uses()).find((row) => row.id === id);
    if (use === undefined) throw notFound(id);
    if (id === ring.current) throw inUse(id, 'it is the current one');
    if (!(await keys.retire(id))) throw inUse(id, 'secrets are encrypted under it; rotate first');
  }
}

function notFound(id: string): AppError {
  return new AppError('master_key_not_found', `There is no master key "${id}". GET /keys lists them.`, {
    category: 'not_found',
  });
}

function inUse(id: string, why: string): AppError {
  return new AppError('master_key_in_use', `The master key "${id}" cannot be retired: ${why}.`, {
    category: 'conflict',
  });
}
