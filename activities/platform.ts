import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { AppError } from '../core/errors/app-error';

/** Time that interrupted work has to end by itself when its worker stops. */
const LAST_WORD_MS = 3_000;

/** Interval of heartbeats during work that sends none by itself. */
export async function withHeartbeat<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const pulse = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await abandonOnShutdown(work());
  } finally {
    clearInterval(pulse);
  }
}

/**
 * Gives up work that does not end although its worker must stop (a statement that the database does not answer): the activity is
 * handed over to another worker. Later results of that work count as those of a late attempt.
 */
export async function abandonOnShutdown<T>(work: Promise<T>): Promise<T> {
  const context = Context.current();
  const { cancellationSignal: signal } = context;
  let timer: NodeJS.Timeout | undefined;
  let interrupted = (): void => undefined;
  const end = new Promise<never>((_resolve, reject) => {
    interrupted = (): void => {
      if (context.cancellationDetails?.workerShutdown !== true) return;
      timer = setTimeout(() => reject(new CancelledFailure('The worker ends.')), LAST_WORD_MS);
    };
  });
  if (signal.aborted) interrupted();
  else signal.addEventListener('abort', interrupted);
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupted);
  }
}

/**
 * Sends failures that a repeat cannot cure (data that is gone, damaged, too large) to the engine with their code; all
 * others are repeated.
 */
export async function withEngineErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.category === 'unavailable' || error.retryable) throw error;
    throw ApplicationFailure.create({ type: error.code, message: error.message, nonRetryable: true });
  }
}
