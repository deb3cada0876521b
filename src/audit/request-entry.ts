import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AuditEntry } from '../../infra/db/stores/identity/audit.store';
import type { Identity } from '../access/identity';
import { PREFIX } from '../app/prefix';
import { callerOf } from '../http/caller';
import { auditEntry, digestOf } from './audit-entry';

/** The entry of a write that a request made, by what is answered of it. */
export function entryOf(request: FastifyRequest, identity: Identity, answer: unknown): AuditEntry {
  const route = (request.routeOptions.url ?? '').replace(`/${PREFIX}`, '');
  return auditEntry(identity, {
    action: `${request.method} ${route}`,
    objectType: route.split('/')[1] ?? '',
    objectId: objectOf(request.params, answer),
    requestId: request.id,
    after: digestOf(answer),
    objectPath: pathOf(request, answer),
  });
}

/** Makes the entry of this request, for a use case that writes it with what it does. */
export type EntryOf = (answer: object) => AuditEntry;

export const RequestEntry = createParamDecorator((_data: unknown, context: ExecutionContext): EntryOf => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return (answer) => entryOf(request, callerOf(request), answer);
});

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
