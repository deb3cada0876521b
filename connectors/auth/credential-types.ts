import type { HttpAuth } from '../../core/connector/auth-types';
import type { Mask } from '../call/mask';
import type { Exchanged } from '../http/exchange';
import type { SecretSource } from '../../infra/secrets/secret-source';
import type { AccessTokens } from './access-tokens';
import type { HeldSecret } from './held-secret';
import type { BuiltRequest, SignedRequest } from '../http/signed-request';

/** How the requests of one call prove who asks. */
export interface Credential {
  readonly name: string;
  /** Changes when the secret's value does. */
  readonly version: string;
  /** Hosts that it may be sent to. */
  readonly allowedHosts: readonly string[];
  /** The query parameter that carries it. Addresses that a source gives back may hold it. */
  readonly queryParam?: string;
  sign(request: BuiltRequest): Promise<SignedRequest>;
  /** After a 401: drops what was fetched with the secret, so that the next `sign` fetches anew. */
  renew?: () => Promise<void>;
}

export interface CredentialUse {
  auth: HttpAuth;
  ownerId: string;
  secrets: SecretSource;
  tokens: AccessTokens;
  /** Takes everything that must not come back. */
  mask: Mask;
  signal: AbortSignal;
  /** Sends a request to a token service. */
  ask(request: BuiltRequest, secret: HeldSecret): Promise<Exchanged>;
}
