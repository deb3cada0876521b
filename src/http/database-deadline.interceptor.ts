import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Observable } from 'rxjs';
import { AppError } from '../../core/errors/app-error';
import type { DatabaseProbe } from '../../infra/db/probe';

/** When a request that takes long is looked at, and again after each such time: a refused connection is said below 2 s. */
const LOOK_MS = 900;
/** A machine that is overrun is silent for a second or two as well; a database that is gone stays silent. */
const SILENCE_MS = 5_000;

/**
 * A caller learns soon that the database is gone: at once where it refuses, after some seconds where it is silent.
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
        void this.probe.answers(SILENCE_MS).then((alive) => {
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
