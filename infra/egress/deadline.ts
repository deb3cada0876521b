import { AppError } from '../../core/errors/app-error';

/** A longer delay would fire at once (it is kept in 31 bits). */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * One deadline for a whole request: look-up, connection, redirects, body. It ends by time or with the caller's
 * signal, and must be released. One listener and one timer: signals joined by AbortSignal.any are kept as long as
 * the caller's own signal lives, which for a worker's is for ever.
 */
export class Deadline {
  /** Called once, when it ends before it is released. */
  stop: ((reason: Error) => void) | undefined;
  /** True once a request has begun to be sent. */
  isSent = false;
  private readonly timer: NodeJS.Timeout;
  private end: { reason: unknown } | undefined;
  private readonly onAbort = (): void => this.finish(this.signal?.reason);

  constructor(
    host: () => string,
    timeoutMs: number,
    private readonly signal?: AbortSignal,
  ) {
    const delay = Math.min(LONGEST_TIMER, Math.max(1, Math.floor(timeoutMs)));
    this.timer = setTimeout(() => this.finish(timedOut(host(), { sent: this.isSent })), delay);
    if (signal?.aborted === true) {
      this.onAbort();
    } else {
      signal?.addEventListener('abort', this.onAbort, { once: true });
    }
  }

  throwIfOver(): void {
    if (this.end !== undefined) {
      throw this.end.reason;
    }
  }

  /** Reason of a failure: after the deadline it is the deadline, whatever broke because of it. */
  reasonOf(failure: unknown): unknown {
    return this.end === undefined ? failure : this.end.reason;
  }

  get isOver(): boolean {
    return this.end !== undefined;
  }

  release(): void {
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.onAbort);
    this.stop = undefined;
  }

  private finish(reason: unknown): void {
    const { stop } = this;
    this.end ??= { reason };
    this.release();
    stop?.(asError(reason));
  }
}

/** Tests by shape: the reason of a signal need not be an instance of this realm's Error. */
export function asError(reason: unknown): Error {
  const isError = typeof reason === 'object' && reason !== null && 'message' in reason && 'name' in reason;
  return isError ? (reason as Error) : new Error(String(reason));
}

export function timedOut(host: string, about: { sent: boolean; cause?: unknown }): AppError {
  return new AppError('upstream_timeout', `${host} did not answer in time.`, {
    category: 'timeout',
    retryable: true,
    ...(about.sent ? {} : { details: { not_sent: true } }),
    ...(about.cause === undefined ? {} : { cause: about.cause }),
  });
}
