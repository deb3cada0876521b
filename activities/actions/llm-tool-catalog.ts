import type { ConnectorVersions } from './connector-versions';
import { listContracts } from '../../core/actions/registry';
import { endpointEffect, endpointInputs, findEndpoint } from '../../core/connector/outputs';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { toolSpecs, type EndpointTool, type ToolSpec } from '../../core/schema/tool-specs';
import type { ActionContext } from './types';

/**
 * Resolves the names of `params.tools`: actions by the registry, `connector.endpoint` by the versions that the
 * run has pinned. Throws AppError `invalid_tools` with all problems for a name that may not be offered.
 */
export function createToolCatalog(
  connectors: ConnectorVersions,
): (names: string[], context: ActionContext) => Promise<ToolSpec[]> {
  return async (names, context) => {
    const endpoints = await endpointTools(connectors, names, context);
    const { specs, problems } = toolSpecs(names, listContracts(), endpoints);
    if (problems.length > 0) {
      throw new AppError('invalid_tools', problems.map((problem) => problem.message).join(' '), {
        category: 'validation',
        problems,
      });
    }
    return specs;
  };
}

async function endpointTools(
  connectors: ConnectorVersions,
  names: string[],
  context: ActionContext,
): Promise<Map<string, EndpointTool>> {
  const tools = new Map<string, EndpointTool>();
  for (const name of names) {
    const dot = name.indexOf('.');
    const slug = name.slice(0, Math.max(dot, 0));
    const versionId = Object.hasOwn(context.connectors, slug) ? context.connectors[slug] : undefined;
    const found = versionId === undefined ? null : await connectors.version(context.ownerId, versionId);
    const endpoint = found === null ? undefined : endpointTool(found.body, name.slice(dot + 1));
    if (endpoint !== undefined) {
      tools.set(name, endpoint);
    }
  }
  return tools;
}

function endpointTool(definition: ConnectorDefinition, name: string): EndpointTool | undefined {
  const endpoint = findEndpoint(definition, name);
  if (endpoint === undefined) {
    return undefined;
  }
  const description = [`${definition.name}: ${name}.`, endpoint.description ?? definition.description ?? '']
    .join(' ')
    .trim();
  return {
    description,
    inputs: endpointInputs(definition, name),
    effect: endpointEffect(definition, name),
  };
}
