import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension, ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { SeenVersion } from '../../infra/db/row-version';
import { ApiProblems } from './api-docs';
import { seenVersion } from './etag';

/** Marks of the document that openapi.ts turns into response headers. */
export const SHOWS_VERSION = 'x-shows-version';

/**
 * GET of one object: its answer has an `ETag`, and `If-None-Match` is answered with 304. The handler returns
 * `versioned(body, row)`; a plain body gets the tag of its content.
 */
export function ReadsVersion(): MethodDecorator {
  return applyDecorators(
    SetMetadata(SHOWS_VERSION, true),
    ApiExtension(SHOWS_VERSION, true),
    ApiHeader({ name: 'If-None-Match', required: false, description: 'ETags that the client has kept.' }),
    ApiResponse({ status: 304, description: 'The client has this version already.' }),
  );
}

/** POST that makes an object, and routes that answer with the object that they changed: `ETag`, no condition. */
export function ShowsVersion(): MethodDecorator {
  return applyDecorators(ApiExtension(SHOWS_VERSION, true));
}

/**
 * PUT, PATCH and DELETE of one object: `If-Match` has to name the version that the caller has seen. The handler takes it
 * as `@IfMatch() seen: SeenVersion`, and the store asks `checkSeen(row, seen)` under the row's lock.
 */
export function ChangesVersion(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: true,
      description: 'The `ETag` of the version that you have seen, or `*` for any.',
    }),
    ApiProblems(404, 412, 428),
  );
}

/** The version that the caller has seen. */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext): SeenVersion => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
  return seenVersion(header);
});
