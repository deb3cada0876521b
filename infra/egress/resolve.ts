import { lookup } from 'node:dns/promises';
import { performance } from 'node:perf_hooks';

export type Resolve = (host: string) => Promise<string[]>;

/** Resolver of the machine, hosts file included. */
export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map((found) => found.address);

/** Keeps answers for names that nobody outside can choose, also that there is none. */
export function cachedResolve(resolve: Resolve, forMs: number): Resolve {
  const known = new Map<string, { until: number; found: Promise<string[]> }>();
  return (host) => {
    const before = known.get(host);
    if (before !== undefined && before.until > performance.now()) {
      return before.found;
    }
    const found = resolve(host);
    known.set(host, { until: performance.now() + forMs, found });
    return found;
  };
}
