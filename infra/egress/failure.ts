import { AppError } from '../../core/errors/app-error';
import { timedOut } from './deadline';

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
/** Codes of the HTTP parser, of its caps, and of the decompressors. */
const BAD_ANSWER = /^(UND_ERR_HEADERS_OVERFLOW|HPE_.*|Z_.*|ERR__ERROR_.*|ERR_BROTLI.*)$/;
const BAD_MESSAGES = new Set(['bad response', 'bad upgrade']);
const MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
/** The other side ended the connection in good order, but too early. */
const CUT_SHORT = new Set([MISMATCH, 'UND_ERR_SOCKET']);
const CERTIFICATE = /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_(GET|VERIFY)|EPROTO/;

export interface Failed {
  host: string;
  /** Was the request partly sent? One that was never sent cannot have had an effect. */
  sent: boolean;
  /** Headers of the answer, once it has begun. */
  headers?: Record<string, string>;
}

/** Failure of an exchange for the caller. */
export function toEgressError(error: unknown, { host, sent, headers }: Failed): AppError {
  const own = chain(error).find((link) => link instanceof AppError);
  if (own !== undefined) {
    return own;
  }
  const code = codeOf(error);
  if (TIMEOUTS.has(code)) {
    return timedOut(host, { sent, cause: error });
  }
  if (headers?.['content-length'] !== undefined && CUT_SHORT.has(code)) {
    return badResponse(`The answer of ${host} ended before it was complete.`, error, true);
  }
  if (
    code === MISMATCH ||
    BAD_ANSWER.test(code) ||
    chain(error).some(({ message }) => BAD_MESSAGES.has(String(message)))
  ) {
    return badResponse(`${host} sent an answer that is no valid HTTP.`, error);
  }
  const isCertificate = CERTIFICATE.test(code);
  const why = isCertificate ? `: its certificate is not accepted (${code})` : code === '' ? '' : ` (${code})`;
  return new AppError('upstream_unavailable', `${host} cannot be reached${why}.`, {
    category: 'upstream',
    retryable: !isCertificate,
    ...(sent ? {} : { details: { not_sent: true } }),
    cause: error,
  });
}

export function badResponse(message: string, cause?: unknown, retryable = false): AppError {
  return new AppError('bad_response', message, {
    category: 'upstream',
    retryable,
    ...(cause === undefined ? {} : { cause }),
  });
}

export function tooLarge(host: string, max: number): AppError {
  return new AppError(
    'response_too_large',
    `The answer of ${host} is larger than ${Math.floor(max / 1024)} KB. Ask for less, or for a page.`,
    { category: 'too_large' },
  );
}

interface Link {
  message?: unknown;
  code?: unknown;
  cause?: unknown;
}

function codeOf(error: unknown): string {
  return (
    chain(error)
      .map((link) => link.code)
      .find((code) => typeof code === 'string') ?? ''
  );
}

/** Tests by shape: errors of the platform need not be instances of this realm's Error. */
function chain(error: unknown): Link[] {
  const links: Link[] = [];
  for (let current = error; typeof current === 'object' && current !== null && links.length < 5;) {
    links.push(current);
    current = (current as Link).cause;
  }
  return links;
}
