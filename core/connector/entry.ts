import type { ConnectorEntry } from '../validate/catalogue';
import { endpointEffect } from './endpoint-effect';
import { endpointInputs, endpointOutputs } from './outputs';
import type { ConnectorDefinition } from './types';

/** What the playbook validator needs to know about a connector. */
export function connectorEntry(definition: ConnectorDefinition): ConnectorEntry {
  const endpoints = Object.keys(definition.endpoints).map((name) => {
    const effect = endpointEffect(definition, name);
    return [
      name,
      { parameters: endpointInputs(definition, name), outputs: endpointOutputs(definition, name), effect },
    ] as const;
  });
  return { slug: definition.id, type: definition.type, endpoints: Object.fromEntries(endpoints) };
}
