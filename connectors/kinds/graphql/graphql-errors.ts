import { shorten } from '../../../core/base/shorten';
import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject, ownField } from '../../../core/base/json';
import type { ErrorCategory } from '../../../core/errors/app-error';
import type { EndpointEffect } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import type { EgressResponse } from '../../../infra/egress/types';
import { textOf } from '../../../core/connector/place-fault';
import type { CredentialRefusal } from '../../http/exchange';

const MOST = 20;
const LONGEST = 500;

interface Meaning {
  code: string;
  category: ErrorCategory;
  retryable: boolean;
}

/** Common codes of servers for refused credentials and limits: `extensions.code`, or GitHub's `type`. */
const REFUSED: Meaning = { code: 'auth_failed', category: 'upstream', retryable: false };
const LIMITED: Meaning = { code: 'rate_limited', category: 'rate_limited', retryable: true };
/** Codes of limits: Apollo's and GitHub's (both of its types), Shopify's, Linear's. */
export const LIMIT_CODES = ['RATE_LIMITED', 'RATE_LIMIT', 'RATE_LIMIT_EXCEEDED', 'RATELIMITED', 'THROTTLED'];
const MEANINGS = new Map([
  ['UNAUTHENTICATED', REFUSED],
  ['FORBIDDEN', REFUSED],
  ...LIMIT_CODES.map((code): [string, Meaning] => [code, LIMITED]),
]);
const PLAIN: Meaning = { code: 'graphql_error', category: 'upstream', retryable: false };

/** True if one of the errors says that there were too many requests. */
export function reportsLimit(errors: Json | undefined): boolean {
  return Array.isArray(errors) && errors.some((error) => LIMIT_CODES.includes(codeOf(error) ?? ''));
}

/** The errors of an answer as a result or an error shows them: message, code and path. The answer holds no secret. */
export function shownErrors(errors: Json | undefined): JsonObject[] {
  return (Array.isArray(errors) ? errors : []).slice(0, MOST).map((error) => {
    const message = isJsonObject(error) ? ownField(error, 'message') : error;
    const code = codeOf(error);
    const path = isJsonObject(error) ? ownField(error, 'path') : undefined;
    return {
      message: typeof message === 'string' ? shorten(message, LONGEST) : 'no message',
      ...(code === undefined ? {} : { code }),
      ...(Array.isArray(path) ? { path: path.map(textOf).join('.') } : {}),
    };
  });
}

/**
 * A 200 that reports a failure is a failure. Parts of an operation may have been carried out before it: one that must not
 * happen twice is not worth a repeat, whatever the errors say. Without `effect` it was refused as a whole.
 */
export function graphqlFailure(
  response: EgressResponse,
  errors: JsonObject[],
  effect: EndpointEffect = 'none',
): AppError {
  const known = errors.flatMap((error) => MEANINGS.get(textOf(error['code'] ?? '')) ?? []);
  const { code, category, retryable } = known[0] ?? PLAIN;
  const messages = errors.slice(0, 5).map((error) => textOf(error['message'] ?? ''));
  return new AppError(code, `${new URL(response.url).host} answered with errors: ${messages.join('; ')}.`, {
    category,
    retryable: retryable && effect !== 'unsafe',
    details: { status: response.status, errors },
  });
}

/** Extent of an `auth_failed`: an unknown caller is refused everywhere, a forbidden one at this endpoint. */
export function refusalOf({ details }: AppError): CredentialRefusal {
  const errors = details['errors'];
  const codes = (Array.isArray(errors) ? errors : []).map((error) => (isJsonObject(error) ? error['code'] : undefined));
  return codes.includes('FORBIDDEN') && !codes.includes('UNAUTHENTICATED') ? 'endpoint' : 'everything';
}

function codeOf(error: Json): string | undefined {
  if (!isJsonObject(error)) {
    return undefined;
  }
  const extensions = ownField(error, 'extensions');
  const code = (isJsonObject(extensions) ? ownField(extensions, 'code') : undefined) ?? ownField(error, 'type');
  return typeof code === 'string' ? code.slice(0, 100) : undefined;
}
