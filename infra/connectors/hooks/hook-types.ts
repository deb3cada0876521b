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

export interface AuditedCall {
  ownerId: string;
  connector: string;
  endpoint: string;
  effectKey: string;
  succeeded: boolean;
}

/** What the built-in hooks consult. What is absent is not consulted. */
export interface CallHooks {
  /** Waits for its turn, or throws `rate_limited` or a SourceWait. */
  limiter?: (call: LimitedCall) => Promise<void>;
  audit?: (call: AuditedCall) => Promise<void>;
}
