import { createHmac } from 'node:crypto';
import { AppError } from '../../core/errors/app-error';
import type { MasterKeyRow } from '../db/stores/master-keys.store';
import type { KeyRing } from './key-ring';

/** Facts of the database about master keys. */
export interface KnownKeys {
  list(): Promise<MasterKeyRow[]>;
  add(id: string, checkValue: string): Promise<void>;
}

/**
 * Compares the ring with the keys that this installation was run with, and notes new ones. Throws `master_key_lost` or
 * `master_key_differs` with one clear line: better at the start than in the middle of a run.
 */
export async function checkKeys(ring: KeyRing, known: KnownKeys): Promise<void> {
  const rows = await known.list();
  const lost = rows.find((row) => row.retired_at === null && !ring.has(row.id));
  if (lost !== undefined) {
    throw refused(
      'master_key_lost',
      `The master key "${lost.id}" is missing: this installation has used it since ${lost.created_at.slice(0, 10)}. Add it behind the current one (AF_MASTER_KEYS or the key file).`,
    );
  }
  for (const id of ring.ids()) {
    const check = checkValue(ring, id);
    const row = rows.find((other) => other.id === id);
    if (row === undefined) await known.add(id, check);
    else if (row.check_value !== check)
      throw refused(
        'master_key_differs',
        `The master key "${id}" is not the one that this installation knows under that id. Restore the old value, or give the new key another id.`,
      );
  }
}

function checkValue(ring: KeyRing, id: string): string {
  return createHmac('sha256', ring.dataKey('key-check', id)).update('agent-factory').digest('hex');
}

function refused(code: string, message: string): AppError {
  return new AppError(code, message, { category: 'validation' });
}
