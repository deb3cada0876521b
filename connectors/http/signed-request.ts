import type { EgressRequest } from '../../infra/egress/types';

/** A request as the inputs make it, before authentication. */
export interface BuiltRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export type SignedRequest = BuiltRequest & Required<Pick<EgressRequest, 'secretHeaders'>>;

/** Sets a header. Names go out in lower case: two spellings of one name would be joined to one value. */
export function withHeader(
  headers: Readonly<Record<string, string>>,
  name: string,
  value: string,
): Record<string, string> {
  return Object.fromEntries([...lowerEntries(headers), [name.toLowerCase(), value]]);
}

export function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(lowerEntries(headers));
}

function lowerEntries(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
}

/** The request with a header that no other origin may see. */
export function withSecretHeader(request: BuiltRequest, name: string, value: string): SignedRequest {
  return { ...request, headers: withHeader(request.headers, name, value), secretHeaders: [name] };
}
