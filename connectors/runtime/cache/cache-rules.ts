import type { EgressRequest, EgressResponse } from '../../../infra/egress/types';
import type { Exchange } from '../../http/exchange';
import { isUnreadable } from '../../http/fact-headers';
import { digestOf } from '../identity';

/** Rules for the cache: which parts of an answer are kept, and under which key. */

/** Larger answers are fetched again. */
const MAX_ENTRY_BYTES = 2 * 1024 * 1024;
/** Headers that say something about one exchange alone, or that change nothing of the answer. */
const IGNORED = new Set([
  'user-agent',
  'idempotency-key',
  'if-none-match',
  'if-modified-since',
  'connection',
  'traceparent',
]);
/** Headers that a later reader of the answer may ask for. */
const KEPT_HEADERS = ['content-type', 'etag', 'last-modified', 'link', 'date', 'content-language'];
const KEPT_STATUS = [200, 203];

/** Effects are never kept, nor what belongs to no stored version. */
export function mayCache({ cache, effect, call }: Exchange): boolean {
  return cache !== undefined && effect === 'none' && call.versionId !== undefined;
}

/** Endpoint, request and credential: the same call whatever the order of its query and headers. */
export function requestDigest({ call, request, credential }: Exchange): string {
  const url = new URL(request.url);
  url.searchParams.sort();
  url.hash = '';
  const secret = new Set((request.secretHeaders ?? []).map((name) => name.toLowerCase()));
  const headers = Object.entries(request.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !IGNORED.has(name) && !secret.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();
  return digestOf([
    call.name,
    request.method.toUpperCase(),
    url.href,
    ...headers,
    bodyOf(request),
    credential === undefined ? '' : `${credential.name}/${credential.version}`,
  ]);
}

function bodyOf({ body }: EgressRequest): string {
  if (body === undefined) return '';
  return typeof body === 'string' ? body : Buffer.from(body).toString('base64');
}

/** True if the answer may be kept. An answer that contains a secret of the call is not. */
export function isStorable({ call, credential }: Exchange, response: EgressResponse): boolean {
  const { status, headers, body } = response;
  if (!KEPT_STATUS.includes(status) || body.byteLength > MAX_ENTRY_BYTES) return false;
  if (headers['set-cookie'] !== undefined || headers['vary']?.includes('*') === true) return false;
  if (isUnreadable(headers, 'cache-control') || directives(headers).has('no-store')) return false;
  if (credential === undefined) return !directives(headers).has('private');
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return [text, response.url, ...Object.values(headers)].every((part) => call.mask.text(part) === part);
}

/** `no-cache`: kept, but asked about each time. */
export function lifetimeOf(headers: Record<string, string>, ttlSeconds: number): number {
  return directives(headers).has('no-cache') ? 0 : ttlSeconds;
}

function directives(headers: Record<string, string>): Set<string> {
  const names = (headers['cache-control'] ?? '').split(',').map((part) => part.split('=', 1)[0] ?? '');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

export function keptHeaders(headers: Record<string, string>): Record<string, string> {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined || isUnreadable(headers, name) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

/** The request that asks whether what is kept still holds; the request itself where that cannot be asked. */
export function conditionalRequest(request: EgressRequest, kept: Record<string, string> | undefined): EgressRequest {
  const etag = kept?.['etag'];
  const modified = kept?.['last-modified'];
  if (!['GET', 'HEAD'].includes(request.method.toUpperCase()) || (etag === undefined && modified === undefined))
    return request;
  return {
    ...request,
    headers: {
      ...request.headers,
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(modified === undefined ? {} : { 'if-modified-since': modified }),
    },
  };
}

/** Tells whether an answer can be revalidated: without a validator it is useless beyond its time. */
export function hasValidator(headers: Record<string, string>): boolean {
  return ['etag', 'last-modified'].some((name) => headers[name] !== undefined && !isUnreadable(headers, name));
}
