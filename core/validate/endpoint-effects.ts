import type { EffectLookup } from '../playbook/effects';
import type { Catalogue } from './catalogue';

/** Effects of connector endpoints as a catalogue knows them. */
export function endpointEffects(catalogue: Catalogue): EffectLookup {
  return {
    endpointEffect: (connector, endpoint) => {
      const endpoints = catalogue.connector(connector)?.endpoints ?? {};
      return Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint]?.effect : undefined;
    },
  };
}
