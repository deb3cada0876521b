import type { RateLimit } from '../../core/connector/types';
import type { CallContext } from '../call/call-context';

/** One question to a source that is no HTTP request: a statement, the files of a call, an action. */
export interface SourceRequest {
  call: CallContext;
  /**
   * Target of the request, as records show it: `postgresql://host:port/database`, `directory`, `upload`, `action:name`.
   */
  origin: string;
  /**
   * Replaces `origin` wherever the caller sees it: a person who runs another owner's profile does not learn the
   * secret's place.
   */
  shown?: string;
  /** Kind of the request, as records show it: `QUERY`, `READ`, `CALL`. */
  method: string;
  /** One-based. */
  attempt: number;
  /** A source outside: limit and breaker of (owner, origin, credential) stand before it. */
  outside?: ExternalSource;
}

export interface ExternalSource {
  credential: { name: string };
  rateLimit: RateLimit | undefined;
  /** Health of the source after a failure: `ill` opens its breaker, `answered` closes it. */
  meaning(error: unknown): 'ill' | 'answered' | 'unknown';
}

/** Counts of an answer, for its record. */
export interface AnswerCounts {
  /** Records. */
  items?: number;
  bytes?: number;
}

/**
 * Carries out one question. Throws what `work` throws, and for a source outside `upstream_unavailable` (its breaker is
 * open), `rate_limited` or SourceWait before `work` has begun.
 */
export type SourceClient = <T>(
  request: SourceRequest,
  work: () => Promise<T>,
  facts: (answer: T) => AnswerCounts,
) => Promise<T>;
