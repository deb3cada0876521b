import type { Config } from '../config/config';
import { allowListOf } from './address-policy';
import type { EgressOptions } from './egress';
import { ownServicesOf } from './own-services';
import { proxyOf } from './proxy';
import { systemResolve } from './resolve';

/** The part of the configuration that concerns the way out. */
export function egressSettings(config: Config): EgressOptions {
  return {
    allow: allowListOf(config.egressAllow),
    own: ownServicesOf(config),
    resolve: systemResolve,
    ...(config.egressProxy === undefined ? {} : { proxy: proxyOf(config.egressProxy) }),
  };
}
