import type { Egress } from '../egress/egress';
import { portOf } from '../egress/ports';
import type { ProviderSettings } from './settings';

/** A provider with its key and its way out. */
export interface ReachableProvider extends ProviderSettings {
  apiKey: string;
  egress: Egress;
}

/**
 * The way to one provider. A base URL that the operator named may lead inside, to a server of their own; connectors do
 * not get there by that, for it is a policy of its own with connections of its own.
 */
export function providerEgress(egress: Egress, { baseUrl, isNamed }: ProviderSettings): Egress {
  if (isNamed !== true) {
    return egress;
  }
  const url = new URL(baseUrl);
  return egress.allowing([{ host: url.hostname, port: portOf(url) }]);
}
