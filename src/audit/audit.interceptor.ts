import { Injectable, SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { isWrite } from '../access/access.guard';
import { identityOf } from '../access/identity';
import { entryOf } from './request-entry';

const OWN = 'af:audits-itself';

/** The use case writes the entry in the transaction of what it does. */
export const AuditsItself = (): MethodDecorator => SetMetadata(OWN, true);

/** Notes every write that succeeded, before its caller is told. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: AuditStore,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const identity = identityOf(request);
    const own = this.reflector.get<boolean | undefined>(OWN, context.getHandler()) === true;
    if (identity === undefined || own || !isWrite(request.method)) return next.handle();
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        await this.audit.note(entryOf(request, identity, answer));
        return answer;
      }),
    );
  }
}
