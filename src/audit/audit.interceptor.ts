import { Injectable, SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { isWrite } from '../access/access.guard';
import { identityOf } from '../access/identity';
import { PREFIX } from '../app/prefix';
import { auditEntry, digestOf } from './audit-entry';

const OWN = 'af:audits-itself';

/** The use case writes the entry in the transaction of what it does. */
export const AuditsItself = (): MethodDecorator => SetMetadata(OWN, true);

const WITHOUT = 'af:audits-without';

/** A field of the answer that is shown and was not made: the digest of what was made leaves it out. */
export const AuditsWithout = (field: string): MethodDecorator => SetMetadata(WITHOUT, field);

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
    const shown = this.reflector.get<string | undefined>(WITHOUT, context.getHandler());
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        const route = (request.routeOptions.url ?? '').replace(`/${PREFIX}`, '');
        const entry = auditEntry(identity, {
          action: `${request.method} ${route}`,
          objectType: route.split('/')[1] ?? '',
          objectId: objectOf(request.params, answer),
          requestId: request.id,
          after: digestOf(shown === undefined ? answer : { ...(answer as object), [shown]: undefined }),
          objectPath: pathOf(request, answer),
        });
        await this.audit.note(entry);
        return answer;
      }),
    );
  }
}

/** Path of the object: that of the request, extended by the new id after a POST. Null = no object of its own. */
function pathOf({ method, url, routeOptions }: FastifyRequest, answer: unknown): string | null {
  const path = (url.split('?')[0] ?? '').replace(`/${PREFIX}`, '');
  if (method !== 'POST') return path;
  const { id } = (answer ?? {}) as { id?: unknown };
  const makes = typeof id === 'string' && !/\/:[^/]+$/.test(routeOptions.url ?? '');
  return makes ? `${path}/${id}` : null;
}

/** The object that the path names, else the one that was made. A token in the path is a secret, and names nothing. */
function objectOf(params: unknown, answer: unknown): string | null {
  const { token: _secret, ...names } = (params ?? {}) as Record<string, unknown>;
  const [named] = Object.values(names);
  if (typeof named === 'string') return named;
  const made = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  const id = made['id'] ?? made['runId'] ?? made['approvalId'] ?? made['name'];
  return typeof id === 'string' ? id : null;
}
