import type { EndpointEffect } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { EgressResponse } from '../egress/types';

/** Failures after which nothing can have been carried out: it was never sent, or the source said no. */
const NOT_DONE = new Set([
  'egress_denied',
  'secret_host_denied',
  'invalid_request',
  'needs_confirmation',
  'auth_failed',
  'rate_limited',
]);
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Not implemented, and not now: both say that the request was not carried out. */
const SAYS_NOT_DONE = new Set([501, 503]);

/** What a failed sending means: a request that cannot be repeated and whose answer is lost has an unknown outcome. */
export function sendingFault(effect: EndpointEffect, error: unknown): unknown {
  if (effect !== 'unsafe' || !(error instanceof AppError) || isNotDone(error)) {
    return error;
  }
  return outcomeUnknown(`${error.message} The request may have taken effect.`, error.code);
}

/** A gateway or a crashed server cannot tell whether the request was carried out. */
export function requireKnownOutcome(effect: EndpointEffect, response: EgressResponse): void {
  if (effect === 'unsafe' && response.status >= 500 && !SAYS_NOT_DONE.has(response.status)) {
    throw outcomeUnknown(
      `${new URL(response.url).host} answered with status ${response.status}. The request may have taken effect.`,
      'upstream_unavailable',
    );
  }
}

function isNotDone(error: AppError): boolean {
  const { not_sent, status } = error.details;
  return (
    NOT_DONE.has(error.code) ||
    not_sent === true ||
    (typeof status === 'number' && SAYS_NOT_DONE.has(status)) ||
    NO_CONNECTION.has(causeCode(error))
  );
}

/** A person must say whether it took effect. */
function outcomeUnknown(message: string, cause: string): AppError {
  return new AppError('effect_outcome_unknown', message, { category: 'upstream', details: { cause } });
}

function causeCode(error: AppError): string {
  for (
    let current: unknown = error.cause, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth += 1
  ) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string') {
      return code;
    }
  }
  return '';
}
