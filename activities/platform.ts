import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { AppError } from '../core/errors/app-error';

/** Signs of life while work goes on that gives none by itself. */
export async function withPulse<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const pulse = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(pulse);
  }
}

/** What a repeat cannot cure (data that is gone, damaged, too large) goes to the engine with its code; all else is repeated. */
export async function forTheEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.category === 'unavailable' || error.retryable) throw error;
    throw ApplicationFailure.create({ type: error.code, message: error.message, nonRetryable: true });
  }
}
