import type { HttpAuth } from '../../core/connector/auth-types';
import type { ConnectorCall } from '../call/connector-call';
import type { ExchangeResult } from '../http/exchange';
import type { HeldSecret } from './held-secret';
import type { BuiltRequest, SignedRequest } from '../http/signed-request';

/** Authentication of the requests of one call. */
export interface Credential {
  readonly name: string;
  /** Changes when the secret's value does. */
  readonly version: string;
  /** Hosts that it may be sent to. */
  readonly allowedHosts: readonly string[];
  /** The query parameter that carries it. Addresses that a source gives back may hold it. */
  readonly queryParam?: string;
  sign(request: BuiltRequest): Promise<SignedRequest>;
  /** Drops tokens fetched with the secret (after a 401), so that the next `sign` fetches anew. */
  renew?: () => Promise<void>;
}

export interface CredentialUse {
  auth: HttpAuth;
  call: ConnectorCall;
  /** Sends a request to a token service. */
  fetchToken(request: BuiltRequest, secret: HeldSecret): Promise<ExchangeResult>;
}
