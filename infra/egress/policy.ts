import type { AllowList } from './address-policy';
import type { OwnServices } from './own-services';
import type { EgressProxy } from './proxy';
import type { Resolve } from './resolve';

/** What may be reached and by which way. It never changes: another policy is another object with connections of its own. */
export interface Policy {
  /** Private `host:port` pairs that may be reached all the same. */
  allow: AllowList;
  /** What is never reached, whatever `allow` says. */
  own: OwnServices;
  /** How names become addresses. */
  resolve: Resolve;
  /** The same for the names in `own`. */
  resolveOwn: Resolve;
  /** The only way out where it is set. */
  proxy?: EgressProxy;
}
