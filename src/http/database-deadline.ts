import { AppError } from '../../core/errors/app-error';
import type { DatabaseProbe } from '../../infra/db/probe';

/** Interval in which long work is checked: a refused connection is reported within 2 s. */
const LOOK_MS = 900;
/** Time without an answer after which the database counts as gone: an overloaded machine also needs a second or two. */
const SILENCE_MS = 5_000;

/** Calls `end` once the database answers no connection, while `waits` is true. Returns the function that stops the check. */
export function watchDatabase(probe: DatabaseProbe, waits: () => boolean, end: (error: AppError) => void): () => void {
  const timer = setInterval(() => {
    if (!waits()) {
      clearInterval(timer);
      return;
    }
    void probe.answers(SILENCE_MS).then((alive) => {
      if (!alive && waits()) end(silent());
    });
  }, LOOK_MS);
  return () => clearInterval(timer);
}

/** `work`, or an error where the database is gone: the driver's own error would come after minutes. */
export function failWhenDatabaseGone<T>(probe: DatabaseProbe, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = watchDatabase(probe, () => true, reject);
    void work.then(resolve, reject).finally(stop);
  });
}

function silent(): AppError {
  return new AppError('database_unavailable', 'The database does not answer. Try again in a moment.', {
    category: 'unavailable',
    retryable: true,
  });
}
