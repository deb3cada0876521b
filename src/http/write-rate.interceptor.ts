import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { AppError } from '../../core/errors/app-error';
import { identityOf } from '../access/identity';
import { TokenBuckets } from './token-buckets';

/** A burst may be as long as this many seconds of the rate. */
const BURST_S = 10;

/** Writes by account and by the real peer address: headers about the origin of a request are never read. */
export class WriteRateInterceptor implements NestInterceptor {
  private readonly buckets: TokenBuckets;

  constructor(writesPerSecond: number) {
    this.buckets = new TokenBuckets(writesPerSecond, writesPerSecond * BURST_S);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.method !== 'GET') {
      const who = identityOf(request);
      const keys = [...(who ? [`account ${who.ownerId}`] : []), `peer ${request.raw.socket.remoteAddress ?? ''}`];
      const wait = Math.max(...keys.map((key) => this.buckets.take(key)));
      if (wait > 0) throw tooMany(wait);
    }
    return next.handle();
  }
}

function tooMany(seconds: number): AppError {
  return new AppError('too_many_requests', 'Too many writes in a short time. Retry-After says when to go on.', {
    category: 'rate_limited',
    retryable: true,
    details: { retry_after: Math.max(1, Math.ceil(seconds)) },
  });
}
