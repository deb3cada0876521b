import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from './problem.dto';

const MEANING: Record<number, string> = {
  400: 'The request is malformed',
  401: 'Nobody is signed in, or the credential does not count (any more)',
  403: 'Not allowed',
  404: 'Not found',
  406: 'The route answers with none of the types in `Accept`',
  409: 'The state of the object does not allow it',
  410: 'Stored content is lost (`blob_not_found`) or damaged (`blob_damaged`)',
  412: 'Changed since the version in `If-Match`',
  413: 'Too large',
  415: 'Wrong media type',
  422: 'Understood, but not valid; `problems` lists everything',
  426: 'The address speaks WebSocket: send `Upgrade: websocket`',
  428: 'Send `If-Match`',
  429: 'Too many attempts or writes; see `Retry-After`',
  502: 'A source outside did not answer properly',
  503: 'The database or Temporal does not answer, or the database is that of a later version; see `Retry-After`',
};

/** Documents the problem answers of a route. 400, 401, 403 and 503 can come from every route. */
export function ApiProblems(...statuses: number[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...[...new Set([400, 401, 403, 503, ...statuses])]
      .sort((a, b) => a - b)
      .map((status) => ApiResponse({ status, ...problemResponse(status) })),
  );
}

export const BYTES = 'application/octet-stream';
const FORM = 'multipart/form-data';

/** A file, as bytes alone or in a form of this type. The document is told of the bytes by `withConventions`. */
export function ApiUpload(form: new () => object): MethodDecorator {
  return applyDecorators(ApiConsumes(BYTES, FORM), ApiBody({ type: form }));
}

function meaningOf(status: number): string {
  const meaning = MEANING[status];
  if (meaning === undefined) throw new Error(`no words say what the status ${status} means`);
  return meaning;
}

interface ProblemResponse {
  description: string;
  content: Record<string, { schema: { $ref: string } }>;
}

export function problemResponse(status: number): ProblemResponse {
  return {
    description: meaningOf(status),
    content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
  };
}
