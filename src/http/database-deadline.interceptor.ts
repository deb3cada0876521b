import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Observable } from 'rxjs';
import type { DatabaseProbe } from '../../infra/db/probe';
import { watchDatabase } from './database-deadline';

/**
 * A caller learns soon that the database is gone: at once where it refuses, after some seconds where it is silent.
 * A request that is merely slow goes on: only a database that answers nobody ends it.
 */
export class DatabaseDeadlineInterceptor implements NestInterceptor {
  constructor(private readonly probe: DatabaseProbe) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return new Observable((subscriber) => {
      // Once it is sent (a stream, or an answer on its way), nobody waits for us any more.
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
