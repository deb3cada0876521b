import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, of, type Observable } from 'rxjs';
import type { Database } from '../../../infra/db/database';
import type { IdempotencyStore, StoredAnswer } from '../../../infra/db/stores/idempotency.store';
import { callerOf } from '../caller';
import { VersionedBody } from '../etag';
import { IDEMPOTENT, type IdempotentOptions } from './idempotent';
import { KeyedOnce, setOnce, unkeyedOnce } from './once';
import { idempotencyKey, requestHash } from './request-hash';

/** `@Idempotent()`: the first request with a key is carried out, a repeat gets its answer. Only 2xx is kept. */
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly store: IdempotencyStore,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const options = Reflect.getMetadata(IDEMPOTENT, context.getHandler()) as IdempotentOptions | undefined;
    if (options === undefined) return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { ownerId } = callerOf(request);
    const key = idempotencyKey(headerOf(request));
    if (key === undefined) {
      setOnce(request, unkeyedOnce(this.database, ownerId));
      return next.handle();
    }
    const { method } = request;
    const route = request.routeOptions.url ?? request.url;
    const claimed = await this.store.claim({ ownerId, method, route, key, hash: requestHash(request) });
    if ('answer' in claimed) return of(replayed(claimed.answer, reply));
    const once = new KeyedOnce({
      database: this.database,
      store: this.store,
      claim: claimed.claim,
      status: () => reply.statusCode,
      shownOnce: options.shownOnce ?? [],
    });
    setOnce(request, once);
    return of(await carriedOut(once, next));
  }
}

/** Keeps the answer even if nobody waits for it: it is not bound to the request. */
async function carriedOut(once: KeyedOnce, next: CallHandler): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await lastValueFrom(next.handle(), { defaultValue: undefined });
  } catch (error) {
    // The refusal is the answer; a key that cannot be given back now is free when its lease ends.
    await once.giveUp().catch(() => undefined);
    throw error;
  }
  await once.settle(answer);
  return answer;
}

function replayed({ status, etag, body }: StoredAnswer, reply: FastifyReply): unknown {
  void reply.status(status).header('idempotency-replayed', 'true');
  const answer = body ?? undefined;
  return etag === null ? answer : new VersionedBody(answer, etag);
}

function headerOf(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  return Array.isArray(header) ? header.join(',') : header;
}
