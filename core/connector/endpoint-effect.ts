import { getContract } from '../actions/registry';
import type { EffectKind } from '../actions/types';
import { findEndpoint } from './outputs';
import type { ConnectorDefinition, ToolConnector, ToolEndpoint } from './types';

/** What a call of the endpoint does outside. An endpoint that wraps an action does what the action does. */
export function endpointEffect(definition: ConnectorDefinition, name: string): EffectKind {
  const endpoint = findEndpoint(definition, name);
  if (endpoint === undefined) return 'unsafe';
  if (definition.type === 'existing_tool') {
    return getContract(toolOf(definition, endpoint as ToolEndpoint))?.effect ?? 'unsafe';
  }
  return 'effect' in endpoint ? endpoint.effect : 'none';
}

/** The action that an endpoint of an existing tool stands for. */
export function toolOf(definition: ToolConnector, endpoint: ToolEndpoint): string {
  return endpoint.tool ?? definition.connection.tool;
}
