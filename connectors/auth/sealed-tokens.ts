import { AppError } from '../../core/errors/app-error';
import { open, seal } from '../../infra/crypto/envelope';
import type { KeyRing } from '../../infra/crypto/key-ring';
import type { AccessTokensStore, StoredToken } from '../../infra/db/stores/access-tokens.store';
import type { SecretMask } from '../../infra/secrets/secret-mask';
import type { IssuedToken, SharedTokens, TokenSlot } from './access-tokens';

/** Tokens of all workers, encrypted in the database and bound to owner and slot. */
export class SealedTokens implements SharedTokens {
  constructor(
    private readonly store: AccessTokensStore,
    private readonly ring: KeyRing,
    /** Takes every token that passes through here. */
    private readonly mask: SecretMask,
  ) {}

  async claim(slot: TokenSlot, claimId: string): Promise<IssuedToken | 'claimed' | 'busy'> {
    const found = await this.store.claim(slot.ownerId, slot.key, claimId);
    if (typeof found === 'string') return found;
    const value = this.opened(slot, found);
    if (value !== undefined) {
      this.mask.add(value);
      return { id: found.token_id, value, seconds: found.seconds };
    }
    await this.store.drop(slot.ownerId, slot.key, found.token_id);
    return 'busy';
  }

  async put({ ownerId, key }: TokenSlot, claimId: string, { id, value, seconds }: IssuedToken): Promise<void> {
    this.mask.add(value);
    const { keyId, bytes } = seal(this.ring, 'tokens', Buffer.from(value, 'utf8'), [ownerId, key]);
    await this.store.put(ownerId, key, claimId, { token_id: id, ciphertext: bytes, key_id: keyId, seconds });
  }

  release({ ownerId, key }: TokenSlot, claimId: string): Promise<void> {
    return this.store.release(ownerId, key, claimId);
  }

  drop({ ownerId, key }: TokenSlot, tokenId: string): Promise<void> {
    return this.store.drop(ownerId, key, tokenId);
  }

  /**
   * Opens a stored token; undefined when it does not open: its master key may be gone, and a token can be fetched
   * again.
   */
  private opened({ ownerId, key }: TokenSlot, { key_id: keyId, ciphertext: bytes }: StoredToken): string | undefined {
    try {
      return open(this.ring, 'tokens', { keyId, bytes }, [ownerId, key]).toString('utf8');
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }
}
