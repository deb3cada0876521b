import { createEgress, type Egress, type EgressOptions } from '../../infra/egress/egress';
import type { OwnServices } from '../../infra/egress/own-services';
import { systemResolve } from '../../infra/egress/resolve';

/** Walls off no server: for egress whose platform has none. */
const NO_SERVICES: OwnServices = { listed: [], running: () => [], machine: () => [] };

/** The product's guard for a test without a platform beside it. */
export function testEgress(options: Partial<EgressOptions> = {}): Egress {
  return createEgress({ allow: [], own: NO_SERVICES, resolve: systemResolve, ...options });
}
