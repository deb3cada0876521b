import { SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Observable } from 'rxjs';
import type { DatabaseProbe } from '../../infra/db/probe';
import { watchDatabase } from './database-deadline';

const OWN_WORD = 'af:own-word-of-the-database';
/** Marks a route that reports the state of the database itself. */
export const ReportsDatabaseHealth = (): MethodDecorator => SetMetadata(OWN_WORD, true);

/**
 * A caller soon learns that the database is gone: at once where it refuses connections, after some seconds where it is silent.
 * A request that is merely slow goes on: only a database that answers nobody ends it.
 */
export class DatabaseDeadlineInterceptor implements NestInterceptor {
  constructor(private readonly probe: DatabaseProbe) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (Reflect.hasMetadata(OWN_WORD, context.getHandler())) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return new Observable((subscriber) => {
      // Stops once the answer has begun (a stream, for example), as nobody waits any more.
      const stop = watchDatabase(
        this.probe,
        () => !reply.sent,
        (error) => subscriber.error(error),
      );
      const inner = next.handle().subscribe(subscriber);
      return () => {
        stop();
        inner.unsubscribe();
      };
    });
  }
}
