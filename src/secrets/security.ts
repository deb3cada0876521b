import type { Provider, Type } from '@nestjs/common';
import { DecisionExport } from '../../infra/decisions/decision-export';
import { KeyRotation } from '../../infra/crypto/rotation';
import { AccessTokens } from '../../infra/identity/access-tokens';
import { SigningKeys } from '../../infra/identity/signing-keys';
import { SecretVault } from '../../infra/secrets/vault';
import { PayloadReader } from '../../infra/temporal/payload-reader';
import { CodecController } from '../codec/codec.controller';
import { DecisionsController } from '../decisions/decisions.controller';
import { KeysController } from './keys.controller';
import { SecretsController } from './secrets.controller';

/** Parts of the application that deal with keys. */
export interface Security {
  vault: SecretVault;
  rotation: KeyRotation;
  reader: PayloadReader;
  decisions: DecisionExport;
  /** Keys of access tokens. */
  signing: SigningKeys;
}

export const SECURITY_CONTROLLERS: Type[] = [SecretsController, KeysController, CodecController, DecisionsController];

/** Providers of security; empty when the document alone is made. */
export function securityProviders(security: Partial<Security> = {}): Provider[] {
  return [
    { provide: SecretVault, useValue: security.vault },
    { provide: KeyRotation, useValue: security.rotation },
    { provide: PayloadReader, useValue: security.reader },
    { provide: DecisionExport, useValue: security.decisions },
    { provide: SigningKeys, useValue: security.signing },
    { provide: AccessTokens, useFactory: (keys: SigningKeys) => new AccessTokens(keys), inject: [SigningKeys] },
  ];
}
