import { join } from 'node:path';
import type { ConnectorDefinition, RateLimit } from '../../../core/connector/types';
import { readConnector } from '../../definition/read-connector';
import { secretOrigins } from '../../auth/secret-origins';
import { textsOf } from '../../../infra/catalog/catalog-texts';
import { compiledCatalog } from '../../../infra/catalog/compiled-catalog';

/**
 * Limits of origins from the catalogue's connectors without a credential; of several the strictest. Read once, at the
 * first use; a failed reading is repeated.
 */
export function shippedLimits(catalog: string): (origin: string) => Promise<RateLimit | undefined> {
  let known: Promise<ReadonlyMap<string, RateLimit>> | undefined;
  return async (origin) => {
    known ??= readLimits(catalog).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return (await known).get(origin);
  };
}

async function readLimits(catalog: string): Promise<ReadonlyMap<string, RateLimit>> {
  const compiled = await compiledCatalog(catalog);
  if (compiled !== undefined) return limitsByOrigin(compiled.connectors.map(({ body }) => body));
  const texts = await textsOf(join(catalog, 'connectors'));
  return limitsByOrigin(texts.flatMap(({ source }) => readConnector(source).definition ?? []));
}

export function limitsByOrigin(definitions: readonly ConnectorDefinition[]): ReadonlyMap<string, RateLimit> {
  const limits = new Map<string, RateLimit>();
  for (const definition of definitions) {
    const { connection } = definition;
    const keyless = !('auth' in connection) || connection.auth.type === 'none';
    if (!keyless || !('rate_limit' in connection) || connection.rate_limit === undefined) continue;
    for (const origin of secretOrigins(definition)) {
      limits.set(origin, strictest(limits.get(origin) ?? {}, connection.rate_limit));
    }
  }
  return limits;
}

function strictest(one: RateLimit, other: RateLimit): RateLimit {
  const both = { ...other };
  for (const [key, value] of Object.entries(one) as [keyof RateLimit, number][]) {
    both[key] = Math.min(value, other[key] ?? value);
  }
  return both;
}
