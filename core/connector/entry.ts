import type { ConnectorEntry } from '../validate/catalogue';
import { endpointInputs, endpointOutputs } from './outputs';
import type { ConnectorDefinition, Endpoint } from './types';

/** What the playbook validator needs to know about a connector. */
export function connectorEntry(definition: ConnectorDefinition): ConnectorEntry {
  const endpoints = Object.entries<Endpoint>(definition.endpoints).map(([name, endpoint]) => {
    const effect = 'effect' in endpoint ? endpoint.effect : ('none' as const);
    return [
      name,
      { parameters: endpointInputs(definition, name), outputs: endpointOutputs(definition, name), effect },
    ] as const;
  });
  return { slug: definition.id, type: definition.type, endpoints: Object.fromEntries(endpoints) };
}
