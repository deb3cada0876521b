import type { JsonObject } from '../../core/base/json';
import type { EndpointEffect } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { EgressResponse } from '../../infra/egress/types';
import { hasReadableWait } from '../../infra/egress/wait-headers';

const UNKNOWN = 'effect_outcome_unknown';
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

/** Failure of a sending: a request that cannot be repeated and whose answer is lost has an unknown outcome. */
export function sendingFault(effect: EndpointEffect, error: unknown): unknown {
  if (effect !== 'unsafe' || !(error instanceof AppError) || error.code === UNKNOWN || isNotDone(error)) {
    return error;
  }
  return outcomeUnknown(`${error.message} The request may have taken effect.`, error.code);
}

/**
 * Failure of reading an accepted request's answer: the effect has happened, and its result is missing. A repeat would
 * make it happen twice.
 */
export function readingFault(effect: EndpointEffect, error: unknown): unknown {
  if (effect !== 'unsafe' || !(error instanceof AppError)) return error;
  return outcomeUnknown(
    `${error.message} The request was accepted and may have taken effect.`,
    error.code,
    error.details,
  );
}

/** Answers that leave open whether the request was carried out: from a gateway, a crashed server, one that gave up waiting, or a redirect. */
export function requireKnownOutcome(effect: EndpointEffect, response: EgressResponse): void {
  if (effect === 'unsafe' && !saysWhetherDone(response)) {
    throw outcomeUnknown(
      `${new URL(response.url).host} answered with status ${response.status}. The request may have taken effect.`,
      'upstream_unavailable',
    );
  }
}

/** True if the request may have taken effect (it was sent and not refused). */
export function mayHaveActed(sent: { response: EgressResponse } | { error: unknown }): boolean {
  if ('response' in sent) return sent.response.status < 400 || !saysWhetherDone(sent.response);
  return !(sent.error instanceof AppError && isNotDone(sent.error));
}

/** True for 501, which says that nothing was done, and for 503 with a time to come again. */
function saysWhetherDone({ status, headers }: EgressResponse): boolean {
  if (status === 503) return hasReadableWait(headers['retry-after']);
  return status < 300 || (status >= 400 && status < 500 && status !== 408) || status === 501;
}

function isNotDone(error: AppError): boolean {
  return NOT_DONE.has(error.code) || error.details['not_sent'] === true || NO_CONNECTION.has(causeCode(error));
}

/** A person must say whether it took effect. */
function outcomeUnknown(message: string, cause: string, details: JsonObject = {}): AppError {
  return new AppError(UNKNOWN, message, { category: 'upstream', details: { ...details, cause } });
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
