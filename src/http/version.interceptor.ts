import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { tagByText } from './conditional-get';
import { VersionedBody } from './etag';
import { SHOWS_VERSION } from './versions';

/** Turns `versioned(body, row)` into a body and its `ETag`. */
export class VersionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const reads = Reflect.getMetadata(SHOWS_VERSION, context.getHandler()) === true;
    return next.handle().pipe(
      map((answer: unknown) => {
        if (answer instanceof VersionedBody) {
          void reply.header('etag', answer.etag);
          return answer.body as unknown;
        }
        if (reads) tagByText(reply);
        return answer;
      }),
    );
  }
}
