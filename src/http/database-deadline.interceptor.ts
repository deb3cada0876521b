import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Observable } from 'rxjs';
import { AppError } from '../../core/errors/app-error';
import { Database } from '../../infra/db/database';

/** First look at a request that takes long, and how often after it. */
const LOOK_MS = 1_000;
const PROBE_MS = 700;

/**
 * A caller learns within two seconds that the database is gone, even when it is silent rather than refusing.
 * A request that is merely slow goes on: only a database that answers nobody ends it.
 */
@Injectable()
export class DatabaseDeadlineInterceptor implements NestInterceptor {
  constructor(private readonly database: Database) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return new Observable((subscriber) => {
      const timer = setInterval(() => {
        void this.answers().then((alive) => {
          if (!alive) {
            subscriber.error(silent());
          }
        });
      }, LOOK_MS);
      const inner = next.handle().subscribe(subscriber);
      return () => {
        clearInterval(timer);
        inner.unsubscribe();
      };
    });
  }

  private async answers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PROBE_MS);
    });
    const probe = this.database.ready().then(
      () => true,
      () => false,
    );
    return Promise.race([probe, late]).finally(() => clearTimeout(timer));
  }
}

function silent(): AppError {
  return new AppError('database_unavailable', 'The database does not answer. Try again in a moment.', {
    category: 'unavailable',
    retryable: true,
  });
}
