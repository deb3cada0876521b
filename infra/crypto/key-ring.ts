import { hkdfSync } from 'node:crypto';
import { AppError } from '../../core/errors/app-error';
import { KEY_BYTES, type MasterKey } from './master-keys';

/** Purpose of a derived key. A key of one purpose opens no content of another. */
export type KeyPurpose = 'secrets' | 'tokens' | 'payloads' | 'decision-heads' | 'identity' | 'key-check';

const SALT = Buffer.from('agent-factory/keys/1');

/**
 * The master keys of this process and what is derived from them (HKDF-SHA-256, RFC 5869). The first key is current: new
 * things are encrypted under it; the others only open what is older.
 */
export class KeyRing {
  private keys = new Map<string, MasterKey>();
  private currentId = '';
  private readonly derived = new Map<string, Buffer>();

  /** `reload`: reads the keys again, where they can change while the process runs. */
  constructor(
    keys: readonly MasterKey[],
    private readonly reload?: () => readonly MasterKey[] | undefined,
  ) {
    this.take(keys);
  }

  /** Id of the key that new things are encrypted under. */
  get current(): string {
    return this.currentId;
  }

  ids(): string[] {
    return [...this.keys.keys()];
  }

  has(id: string): boolean {
    return this.keys.has(id);
  }

  /** Reads keys that were added to the file meanwhile. Keys that it no longer has stay until the process ends. */
  refresh(): void {
    const keys = this.reload?.();
    if (keys !== undefined && keys.length > 0) this.take([...keys, ...this.keys.values()]);
  }

  /** 32 bytes. Throws `master_key_unknown`, also after a look whether the key was added meanwhile. */
  dataKey(purpose: KeyPurpose, id: string): Buffer {
    const name = `${purpose}/${id}`;
    const known = this.derived.get(name);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', this.master(id).bytes, SALT, purpose, KEY_BYTES));
    this.derived.set(name, key);
    return key;
  }

  private master(id: string): MasterKey {
    if (!this.keys.has(id)) this.refresh();
    const key = this.keys.get(id);
    if (key === undefined) throw masterKeyUnknown(id);
    return key;
  }

  private take(keys: readonly MasterKey[]): void {
    const first = keys[0];
    if (first === undefined) throw new Error('a key ring needs a key');
    this.currentId = first.id;
    this.keys = new Map([...keys].reverse().map((key) => [key.id, key]));
  }
}

function masterKeyUnknown(id: string): AppError {
  return new AppError(
    'master_key_unknown',
    `The master key "${id}" that this was encrypted under is not among the keys of this process. Add it behind the current one (AF_MASTER_KEYS or the key file).`,
    { category: 'internal', details: { key_id: id } },
  );
}
