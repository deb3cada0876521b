import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiProblems } from '../api-docs';
import { onceOf, type Once } from './once';

export interface IdempotentOptions {
  /** Fields of the answer that it shows this once and never again: a repeat is answered without them. */
  shownOnce?: readonly string[];
}

export const IDEMPOTENT = 'x-idempotent';
const KEY = 'Up to 255 printable ASCII characters. A repeat with the same key and request gets the same answer.';

/**
 * POST that makes or starts something. The interceptor answers repeats; a handler whose effect is one transaction of ours
 * takes `@OnceOnly() once: Once` and makes its effect in `once.tx((sql) => …)`, which keeps the answer with it.
 */
export function Idempotent(options: IdempotentOptions = {}): MethodDecorator {
  return applyDecorators(SetMetadata(IDEMPOTENT, options), ApiIdempotent());
}

/** Documents the header only, for a resource that keeps keys itself (runs). */
export function ApiIdempotent(description = KEY): MethodDecorator {
  return applyDecorators(
    ApiExtension(IDEMPOTENT, true),
    ApiHeader({ name: 'Idempotency-Key', required: false, description }),
    ApiProblems(409, 422),
  );
}

export const OnceOnly = createParamDecorator((_data: unknown, context: ExecutionContext): Once =>
  onceOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
