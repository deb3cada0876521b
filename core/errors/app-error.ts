import type { JsonObject } from '../base/json';
import type { Problem } from './problem';

/** Kind of failure; the HTTP filter and the runner alone map it. */
export type ErrorCategory =
  | 'bad_request'
  | 'validation'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'precondition_required'
  | 'too_large'
  | 'rate_limited'
  | 'upstream'
  | 'timeout'
  | 'unavailable'
  | 'internal';

export interface AppErrorOptions {
  category: ErrorCategory;
  /** True if a repeat of the same call may succeed. */
  retryable?: boolean;
  details?: JsonObject;
  problems?: Problem[];
  cause?: unknown;
}

/** A failure with a stable code and a sentence for people. Everything we throw on purpose is one. */
export class AppError extends Error {
  readonly code: string;
  readonly category: ErrorCategory;
  readonly retryable: boolean;
  readonly details: JsonObject;
  readonly problems: Problem[];

  constructor(code: string, message: string, options: AppErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.category = options.category;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
    this.problems = options.problems ?? [];
  }
}

/** The error of a step as it is stored, sent and shown. */
export interface StepError {
  code: string;
  message: string;
  category: ErrorCategory;
  retryable: boolean;
  details?: JsonObject;
}

export function toStepError(error: AppError): StepError {
  const base = {
    code: error.code,
    message: error.message,
    category: error.category,
    retryable: error.retryable,
  };
  return Object.keys(error.details).length > 0 ? { ...base, details: error.details } : base;
}
