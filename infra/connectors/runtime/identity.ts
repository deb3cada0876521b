import { createHash } from 'node:crypto';
import type { Breaker } from '../../db/stores/connector-breakers.store';
import type { Bucket } from '../../db/stores/connector-limits.store';
import type { Exchange } from './exchange';

/** Whose limits and whose breaker a request counts for. */
export interface Identity {
  bucket: Bucket;
  breaker: Breaker;
  origin: string;
}

export function identityOf({ request, ownerId, credential }: Exchange): Identity {
  return identityAt(new URL(request.url).origin, ownerId, credential?.name);
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

type Using = Pick<Exchange, 'ownerId' | 'connector' | 'endpoint'> & { credential?: { name: string } | undefined };

export function bindingOf({ ownerId, connector, credential, endpoint }: Using): UsedBinding {
  return { ownerId, connector: connector.id, credential: credential?.name ?? '', endpoint };
}

/** An answer from elsewhere, after a redirect: what it says of waits and credentials is not the word of the origin. */
export function isForeign({ request }: Pick<Exchange, 'request'>, response: { url: string }): boolean {
  return new URL(response.url).origin !== new URL(request.url).origin;
}

export function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
