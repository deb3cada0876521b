import type { JsonObject } from '../../core/base/json';
import { sentence } from '../../core/base/sentence';
import { AppError, type ErrorCategory } from '../../core/errors/app-error';
import type { Mask } from '../secrets/mask';
import { MASK } from '../secrets/redactor';
import { excerpt, llmError, modelName } from './errors';
import { isSyntaxError, ProtocolError } from './protocol-error';
import { providerWaitMs } from './retry-after';
import type { ModelRef } from './types';

export interface ProviderFailure {
  error: AppError;
  /** True if another model of the list may succeed. */
  tryNext: boolean;
  /** The server does not know the structured-output parameter. */
  schemaUnsupported: boolean;
}

/** The shape that both SDKs give their API errors. */
interface SdkError {
  status?: number;
  headers?: { get(name: string): string | null };
  code?: unknown;
  type?: unknown;
  error?: unknown;
  message: string;
}

interface Rule {
  code: string;
  category: ErrorCategory;
  retryable: boolean;
  tryNext: boolean;
  says: string;
}

const RULES: Record<string, Rule> = {
  slow: rule('rate_limited', 'rate_limited', true, true, 'asks to slow down'),
  quota: rule('llm_quota_exceeded', 'upstream', false, true, 'refuses: the quota or credit of the account is used up'),
  down: rule('llm_unavailable', 'unavailable', true, true, 'is not available'),
  auth: rule('llm_auth_failed', 'upstream', false, false, 'does not accept the key'),
  missing: rule(
    'llm_model_not_found',
    'upstream',
    false,
    false,
    'is not known to the provider, or the key has no access to it',
  ),
  long: rule('llm_input_too_long', 'too_large', false, false, 'cannot take an input of this size'),
  bad: rule('llm_bad_request', 'upstream', false, false, 'refuses the request'),
  broken: rule('llm_bad_response', 'upstream', true, true, 'gave an answer that is not of its protocol'),
};

function rule(code: string, category: ErrorCategory, retryable: boolean, tryNext: boolean, says: string): Rule {
  return { code, category, retryable, tryNext, says };
}

/** Failure that an exception of an SDK stands for. What `mask` knows is never let through into a message. */
export function providerFailure(thrown: unknown, ref: ModelRef, mask: Mask): ProviderFailure {
  const own = ownError(thrown);
  if (own !== undefined) {
    const isRedirect = own.code === 'redirect_refused';
    return { error: isRedirect ? redirected(ref) : own, tryNext: isRedirect, schemaUnsupported: false };
  }
  const sdk = asSdkError(thrown);
  const chosen = RULES[kindOf(sdk, thrown)] as Rule;
  const text = withoutKeys(messageOf(sdk, thrown), mask);
  const wait = providerWaitMs(sdk.headers, Date.now());
  const details: JsonObject = {
    ...(sdk.status === undefined ? {} : { status: sdk.status }),
    ...(wait === undefined ? {} : { retry_after_ms: wait }),
    ...(text === '' ? {} : { provider_message: excerpt(text) }),
  };
  const { code, category, retryable, tryNext, says } = chosen;
  const error = llmError(code, `${modelName(ref)} ${says}${hint(code, ref)}${quoted(text)}`, ref, {
    category,
    retryable,
    details,
  });
  return { error, tryNext, schemaUnsupported: code === 'llm_bad_request' && SCHEMA_WORDS.test(text) };
}

/** Quotes the provider beside our own message: few people read the details. */
function quoted(text: string): string {
  const short = text.length <= QUOTED_CHARS ? text : `${text.slice(0, QUOTED_CHARS)}…`;
  return text.trim() === '' ? '.' : `: ${sentence(short)}`;
}

/** The egress guard speaks of connectors. Another provider need not be behind the same address. */
function redirected(ref: ModelRef): AppError {
  const setting = ref.provider === 'openai' ? 'OPENAI_BASE_URL' : 'ANTHROPIC_BASE_URL';
  const message = `The server of ${modelName(ref)} redirects to another address, and a key goes along no redirect. Put the final address into ${setting}.`;
  return llmError('redirect_refused', message, ref, { category: 'upstream' });
}

/**
 * Error as our `fetch` threw it, before the answer (an SDK wraps it) or in the middle of it. Only failures that no repeat cures say more
 * than the codes of a model's failures do.
 */
function ownError(thrown: unknown): AppError | undefined {
  const own = appErrorOf(thrown);
  return own === undefined || own.retryable || own.code === 'bad_response' ? undefined : own;
}

function appErrorOf(thrown: unknown): AppError | undefined {
  if (thrown instanceof AppError) return thrown;
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof AppError ? cause : undefined;
}

const QUOTED_CHARS = 300;
const SCHEMA_WORDS = /response_format|output_config|output_format|json_schema|structured output/i;
const LONG_WORDS =
  /context_length|context window|maximum context|prompt is too long|too many tokens|request_too_large/i;
const QUOTA_WORDS = /insufficient_quota|billing|credit balance|spend_limit/i;

function hint(code: string, ref: ModelRef): string {
  const setting = ref.provider === 'openai' ? 'OPENAI_API_KEY' : 'ANTHROPIC_API_KEY';
  return code === 'llm_auth_failed' ? ` in ${setting}` : '';
}

function kindOf(sdk: SdkError, thrown: unknown): string {
  const status = sdk.status ?? statusOfType(sdk);
  if (status === undefined) {
    return thrown instanceof ProtocolError || isSyntaxError(thrown) ? 'broken' : brokenOrDown(appErrorOf(thrown));
  }
  if (status === 402 || (status < 500 && QUOTA_WORDS.test(words(sdk)))) {
    return 'quota';
  }
  if (status === 429 || status === 529) {
    return 'slow';
  }
  if (status === 401 || status === 403) {
    return 'auth';
  }
  if (status === 404) {
    return 'missing';
  }
  if (status === 413 || (status < 500 && LONG_WORDS.test(words(sdk)))) {
    return 'long';
  }
  return status === 408 || status === 409 || status >= 500 ? 'down' : 'bad';
}

/** An error inside a stream has no status of its own, but the type that the status would have had. */
function statusOfType(sdk: SdkError): number | undefined {
  const type = words(sdk);
  if (/overloaded_error/.test(type)) {
    return 529;
  }
  if (/rate_limit/.test(type)) {
    return 429;
  }
  if (/authentication_error|permission_error|invalid_api_key/.test(type)) {
    return 401;
  }
  if (/invalid_request_error/.test(type)) {
    return 400;
  }
  return /api_error|server_error|timeout_error/.test(type) ? 500 : undefined;
}

function words(sdk: SdkError): string {
  return [sdk.code, sdk.type, typeof sdk.error === 'object' ? JSON.stringify(sdk.error) : '']
    .filter((part) => typeof part === 'string')
    .join(' ');
}

/** The way to a provider fails with the codes of sources: an answer that is no HTTP, or one that did not come whole. */
function brokenOrDown(own: AppError | undefined): string {
  return own?.code === 'bad_response' && !own.retryable ? 'broken' : 'down';
}

function messageOf(sdk: SdkError, thrown: unknown): string {
  if (isSyntaxError(thrown)) return 'A piece of the answer is not JSON.';
  const body = sdk.error as { message?: unknown; error?: { message?: unknown } } | undefined;
  const inner = body?.error?.message ?? body?.message;
  return typeof inner === 'string' ? inner : sdk.message;
}

function asSdkError(thrown: unknown): SdkError {
  if (!(thrown instanceof Error)) {
    return { message: '' };
  }
  const { status, headers, code, type, error } = thrown as Partial<SdkError>;
  return {
    message: thrown.message,
    ...(typeof status === 'number' ? { status } : {}),
    ...(headers !== undefined && typeof headers.get === 'function' ? { headers } : {}),
    ...(code === undefined ? {} : { code }),
    ...(type === undefined ? {} : { type }),
    ...(error === undefined ? {} : { error }),
  };
}

/** A provider may quote the key that it refused, whole or in part; so may a proxy. */
function withoutKeys(text: string, mask: Mask): string {
  return mask
    .text(text)
    .replace(/\b(?:sk|key|xai)-[A-Za-z0-9_*.-]{4,}/g, MASK)
    .replace(/(bearer\s+)\S+/gi, `$1${MASK}`);
}
