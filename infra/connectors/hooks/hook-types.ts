import type { RateLimit } from '../../../core/connector/types';

/** A call that counts against a limit although it is no HTTP request; those are counted where they leave. */
export interface LimitedCall {
  ownerId: string;
  /** What the limit is for, beside the credential. */
  origin: string;
  credential: string;
  rateLimit: RateLimit;
  signal: AbortSignal;
}

/** A secret as a connector uses it. */
export interface BoundSecret {
  ownerId: string;
  connector: string;
  secret: string;
  /** Of the secret's value, where the store counts them. */
  version?: string;
}

export interface AuditedCall {
  ownerId: string;
  connector: string;
  endpoint: string;
  effectKey: string;
  succeeded: boolean;
}

/** A credential as a call uses it; '' without one. */
export interface UsedBinding {
  ownerId: string;
  connector: string;
  credential: string;
  endpoint: string;
}

/** Hears what a source says of a credential, where no HTTP exchange tells it. `answer`: what the source calls it. */
export interface CredentialEar {
  refused(use: UsedBinding, answer: string): Promise<void>;
  accepted(use: UsedBinding): Promise<void>;
}

/** What the built-in hooks consult. What is absent is not consulted. */
export interface CallHooks {
  /** Waits for its turn, or throws `rate_limited` or a SourceWait. */
  limiter?: (call: LimitedCall) => Promise<void>;
  /** Throws `auth_failed` for a secret that the source has refused since it was last changed. */
  requireUsable?: (secret: BoundSecret) => Promise<void>;
  credentials?: CredentialEar;
  audit?: (call: AuditedCall) => Promise<void>;
}
