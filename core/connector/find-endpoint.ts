import type { EffectKind } from '../actions/types';
import { getContract } from '../actions/registry';
import type { JsonObject } from '../base/json';
import { ownField } from '../base/json';
import type { ConnectorDefinition, Endpoint, ToolConnector, ToolEndpoint } from './types';

/** The endpoint of that name, or nothing. A name never reaches a prototype. */
export function findEndpoint(definition: ConnectorDefinition, name: string): Endpoint | undefined {
  return ownField(definition.endpoints as unknown as JsonObject, name) as unknown as Endpoint | undefined;
}

/** Effect of a call of the endpoint: its own `effect`, or that of the action behind it. */
export function endpointEffect(definition: ConnectorDefinition, name: string): EffectKind {
  const endpoint = findEndpoint(definition, name);
  if (endpoint === undefined) {
    return 'none';
  }
  if (definition.type === 'existing_tool') {
    // Unknown actions count as unsafe.
    return getContract(toolName(definition, endpoint as ToolEndpoint))?.effect ?? 'unsafe';
  }
  return 'effect' in endpoint ? endpoint.effect : 'none';
}

/** Name of the action that an endpoint of an `existing_tool` stands for. */
export function toolName(definition: ToolConnector, endpoint: ToolEndpoint): string {
  return endpoint.tool ?? definition.connection.tool;
}
