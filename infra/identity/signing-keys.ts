import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { open, seal } from '../crypto/envelope';
import type { KeyRing } from '../crypto/key-ring';
import type { SigningKeyRow, SigningKeysStore } from '../db/stores/identity/signing-keys.store';

export interface SigningKey {
  kid: string;
  key: KeyObject;
}

/** Time for which a key signs. */
const SIGNS_SECONDS = 30 * 86_400;
/** Time for which tokens of a retired key are valid: longer than any access token lives. */
const KEEP_SECONDS = 86_400;
/** Keys of another replica are looked for at most so often: a forged `kid` must not become a query each. */
const LOOK_MS = 5_000;

/** The keys of access tokens: Ed25519, their private parts encrypted under the master key. */
export class SigningKeys {
  private current: { row: SigningKeyRow; key: KeyObject } | undefined;
  private publics = new Map<string, KeyObject>();
  private lookedAt = 0;

  constructor(
    private readonly store: SigningKeysStore,
    private readonly ring: KeyRing,
  ) {}

  /** The key to sign with; makes one where there is none, or none that should still sign. */
  async signer(): Promise<SigningKey> {
    if (this.current === undefined || this.isDue(this.current.row)) await this.load();
    if (this.current === undefined || this.isDue(this.current.row)) {
      await this.rotate();
    }
    const { current } = this;
    if (current === undefined) throw new Error('a key that was just made is not there');
    return { kid: current.row.kid, key: current.key };
  }

  /** The public key of this id; undefined where there is none (any more). */
  async verifier(kid: string): Promise<KeyObject | undefined> {
    if (!this.publics.has(kid) && Date.now() - this.lookedAt > LOOK_MS) await this.load();
    return this.publics.get(kid);
  }

  /** A new key signs from now on. */
  async rotate(): Promise<string> {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const kid = randomBytes(9).toString('base64url');
    const sealed = seal(this.ring, 'identity', privateKey.export({ format: 'der', type: 'pkcs8' }), [kid]);
    const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    await this.store.replace({ kid, public_key: spki, private_key: sealed.bytes, key_id: sealed.keyId }, KEEP_SECONDS);
    await this.load();
    return kid;
  }

  private isDue(row: SigningKeyRow): boolean {
    return row.key_id !== this.ring.current || Date.parse(row.created_at) + SIGNS_SECONDS * 1_000 < Date.now();
  }

  private async load(): Promise<void> {
    this.lookedAt = Date.now();
    const rows = await this.store.list();
    this.publics = new Map(rows.map((row) => [row.kid, readPublic(row.public_key)]));
    const row = rows.find((each) => each.retired_at === null && this.ring.has(each.key_id));
    this.current = row === undefined ? undefined : { row, key: this.opened(row) };
  }

  private opened(row: SigningKeyRow): KeyObject {
    const der = open(this.ring, 'identity', { keyId: row.key_id, bytes: row.private_key }, [row.kid]);
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }
}

function readPublic(spki: string): KeyObject {
  return createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
}
