import { AppError } from '../../core/errors/app-error';

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const BAD_ANSWERS = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  'Z_DATA_ERROR',
  'Z_BUF_ERROR',
]);

/** What a failed exchange means for the caller. An abort by the caller keeps the caller's reason. */
export function toEgressError(error: unknown, send: { url: URL; signal: AbortSignal; deadline: AbortSignal }): unknown {
  const own = findAppError(error);
  if (own !== undefined) {
    return own;
  }
  if (send.deadline.aborted && send.signal.reason === send.deadline.reason) {
    return timedOut(send.url.host, error);
  }
  if (send.signal.aborted) {
    return send.signal.reason;
  }
  const code = codeOf(error);
  if (TIMEOUTS.has(code)) {
    return timedOut(send.url.host, error);
  }
  if (chain(error).some((link) => link.message === 'bad port')) {
    return new AppError(
      'egress_denied',
      `Port ${send.url.port} belongs to another kind of service; nothing is fetched from it.`,
      { category: 'forbidden' },
    );
  }
  if (BAD_ANSWERS.has(code) || chain(error).some((link) => link.name === 'HTTPParserError')) {
    return new AppError('bad_response', `${send.url.host} sent an answer that is no valid HTTP.`, {
      category: 'upstream',
      cause: error,
    });
  }
  return new AppError('upstream_unavailable', `${send.url.host} cannot be reached${code === '' ? '' : ` (${code})`}.`, {
    category: 'upstream',
    retryable: true,
    cause: error,
  });
}

function timedOut(host: string, cause: unknown): AppError {
  return new AppError('upstream_timeout', `${host} did not answer in time.`, {
    category: 'timeout',
    retryable: true,
    cause,
  });
}

/** fetch wraps what the connector threw. */
function findAppError(error: unknown): AppError | undefined {
  return chain(error).find((link) => link instanceof AppError);
}

function codeOf(error: unknown): string {
  return (
    chain(error)
      .map((link) => (link as { code?: unknown }).code)
      .find((code) => typeof code === 'string') ?? ''
  );
}

function chain(error: unknown): Error[] {
  const links: Error[] = [];
  for (let current = error; current instanceof Error && links.length < 5; current = current.cause) {
    links.push(current);
  }
  return links;
}
