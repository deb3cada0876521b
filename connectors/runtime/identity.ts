import { createHash } from 'node:crypto';
import type { Breaker } from '../../infra/db/stores/connector-breakers.store';
import type { Bucket } from '../../infra/db/stores/connector-limits.store';
import { chargedOwner } from '../call/call-context';
import type { Exchange } from '../http/exchange';

/** Limits and breaker for which a request counts. */
export interface Identity {
  bucket: Bucket;
  breaker: Breaker;
  origin: string;
}

export type Identities = (exchange: Exchange) => Identity;

/** Identities of the requests of one call. Its pages share one, which is made once. */
export function identitiesOfCall(): Identities {
  const known = new Map<string, Identity>();
  return ({ call, request, credential }) => {
    const { origin } = new URL(request.url);
    const ownerId = chargedOwner(call, credential);
    const key = JSON.stringify([origin, ownerId, credential?.name]);
    const identity = known.get(key) ?? identityAt(origin, ownerId, credential?.name);
    known.set(key, identity);
    return identity;
  };
}

/** Limits follow the credential; without one the origin sees all of us as one. Failures are always an owner's own. */
export function identityAt(origin: string, ownerId: string, credential: string | undefined): Identity {
  const common = credential === undefined;
  const name = credential ?? '';
  return {
    origin,
    bucket: { key: digestOf(common ? ['bucket', origin] : ['bucket', origin, ownerId, name]), ownerId, common, origin },
    breaker: { key: digestOf(['breaker', origin, ownerId, name]), ownerId, origin },
  };
}

/** A credential as a call uses it; '' without one. */
export interface UsedBinding {
  ownerId: string;
  connector: string;
  credential: string;
  endpoint: string;
}

type Using = Pick<Exchange, 'call'> & { credential?: { name: string } | undefined };

export function bindingOf({ call, credential }: Using): UsedBinding {
  const { connector, name: endpoint } = call;
  const ownerId = chargedOwner(call, credential);
  return { ownerId, connector: connector.id, credential: credential?.name ?? '', endpoint };
}

/** An answer from elsewhere, after a redirect: what it says of waits and credentials is not the word of the origin. */
export function isForeign(origin: string, response: { url: string }): boolean {
  // Compares texts first: most addresses are written like their origin.
  return !response.url.startsWith(`${origin}/`) && new URL(response.url).origin !== origin;
}

export function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
