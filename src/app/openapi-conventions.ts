import type { OpenAPIObject } from '@nestjs/swagger';
import { BYTES, problemResponse } from '../http/api-docs';
import { IDEMPOTENT } from '../http/idempotency/idempotent';
import { SHOWS_VERSION } from '../http/versions';
import { PREFIX } from './prefix';

interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: object;
}
interface Operation {
  operationId?: string;
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, Response>;
  [SHOWS_VERSION]?: true;
  [IDEMPOTENT]?: true;
}

const HEADERS = {
  ETag: { description: 'The version of what the answer shows: for `If-Match` and `If-None-Match`.' },
  'Idempotency-Replayed': { description: '`true`: this is the answer that an earlier request with this key got.' },
  'Retry-After': { description: 'Seconds to wait before the next request.' },
};
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Adds the conventions of all routes to the document: answers of the layers before the handlers, and headers. */
export function withConventions(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) continue;
      if (path.startsWith(`/${PREFIX}/`)) addCommonProblems(operation, method);
      addHeaders(operation);
      const bytes = operation.requestBody?.content[BYTES];
      if (bytes !== undefined) bytes.schema = { type: 'string', format: 'binary' };
    }
  }
  const headers = Object.entries(HEADERS).map(([name, { description }]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  document.components = { ...document.components, headers: Object.fromEntries(headers) };
  useExamples(document.components.schemas);
  useExamples(document.paths);
  return document;
}

function addCommonProblems(operation: Operation, method: string): void {
  const statuses = [
    406,
    ...(method === 'get' ? [] : [429]),
    ...(operation.requestBody === undefined ? [] : [413, 415]),
  ];
  for (const status of statuses) operation.responses[status] ??= problemResponse(status);
}

function addHeaders(operation: Operation): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    // Two decorators that name one status leave its sentence twice.
    response.description = [...new Set(response.description.split('\n\n'))].join('\n\n');
    const good = status.startsWith('2');
    const names = [
      ...(operation[SHOWS_VERSION] === true && (good || status === '304') ? ['ETag'] : []),
      ...(operation[IDEMPOTENT] === true && good ? ['Idempotency-Replayed'] : []),
      ...(status === '429' || status === '503' ? ['Retry-After'] : []),
    ];
    if (names.length > 0) {
      response.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
    }
  }
  delete operation[SHOWS_VERSION];
  delete operation[IDEMPOTENT];
}

/** `example` of a schema is a word of OpenAPI 3.0; since 3.1 schemas are JSON Schema, which has `examples`. */
function useExamples(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Record<string, unknown>;
  const isSchema =
    typeof schema['type'] === 'string' || Array.isArray(schema['type']) || Array.isArray(schema['oneOf']);
  if (isSchema && 'example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
  for (const child of Object.values(schema)) useExamples(child);
}
