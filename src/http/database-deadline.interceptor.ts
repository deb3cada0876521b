import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Observable } from 'rxjs';
import { AppError } from '../../core/errors/app-error';
import type { DatabaseProbe } from '../../infra/db/probe';

/** When a request that takes long is looked at, and again after each such time. Look and probe stay below 2 s. */
const LOOK_MS = 900;
const PROBE_MS = 900;

/**
 * A caller learns within two seconds that the database is gone, even when it is silent rather than refusing.
 * A request that is merely slow goes on: only a database that answers nobody ends it.
 */
export class DatabaseDeadlineInterceptor implements NestInterceptor {
  constructor(private readonly probe: DatabaseProbe) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return new Observable((subscriber) => {
      const timer = setInterval(() => {
        if (reply.sent) {
          // A stream, or an answer on its way: nobody waits for us any more.
          clearInterval(timer);
          return;
        }
        void this.probe.answers(PROBE_MS).then((alive) => {
          if (!alive && !reply.sent) {
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
}

function silent(): AppError {
  return new AppError('database_unavailable', 'The database does not answer. Try again in a moment.', {
    category: 'unavailable',
    retryable: true,
  });
}
