import type { AllowList } from './address-policy';
import type { OwnServices } from './own-services';
import type { EgressProxy } from './proxy';
import type { Resolve } from './resolve';

/**
 * Targets that may be reached, and the way to them. It never changes: another policy is another object with connections
 * of its own.
 */
export interface Policy {
  /** Private `host:port` pairs that may be reached. */
  allow: AllowList;
  /** Services that are never reached, whatever `allow` says. */
  own: OwnServices;
  /** Resolver of names. */
  resolve: Resolve;
  /** The same for the names in `own`. */
  resolveOwn: Resolve;
  /** The only way out where it is set. */
  proxy?: EgressProxy;
}
