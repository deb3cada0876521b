import type { ConnectorEntry, EndpointEntry } from '../validate/catalogue';
import { endpointEffect, endpointInputs, endpointOutputs } from './outputs';
import type { ConnectorDefinition } from './types';

/** Facts about a connector that the playbook validator needs. */
export function connectorEntry(definition: ConnectorDefinition): ConnectorEntry {
  const endpoints = Object.keys(definition.endpoints).map((name): [string, EndpointEntry] => [
    name,
    {
      parameters: endpointInputs(definition, name),
      outputs: endpointOutputs(definition, name),
      effect: endpointEffect(definition, name),
    },
  ]);
  return { slug: definition.id, type: definition.type, endpoints: Object.fromEntries(endpoints) };
}
