import { ownField } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { callEndpoint } from '../../infra/connectors/call-endpoint';
import { withHooks } from '../../infra/connectors/hooks/call-hooks';
import type { ConnectorDeps } from '../../infra/connectors/types';
import { bind, connectorGone, requireBinding, type BoundSecrets, type RunBindings } from './bound-connector';
import { callTool } from './tool-connector';
import type { Action, ActionContext, ActionTable } from './types';

/** The pinned version of a connector by its id: what `ConnectorsStore.version` gives. */
export interface ConnectorVersions {
  version(ownerId: string, versionId: string): Promise<{ body: ConnectorDefinition } | null>;
}

export interface CallConnectorDeps extends ConnectorDeps {
  connectors: ConnectorVersions;
  secrets: BoundSecrets;
  bindings: RunBindings;
  /** All actions of the worker, for connectors that stand for one of them. */
  tools?: () => ActionTable;
}

/** `call_connector`: params `connector` and `endpoint`; inputs and output are those of the endpoint. */
export function createConnectorActions(deps: CallConnectorDeps): ActionTable {
  const callConnector: Action = async (call, context) => {
    const connector = textParam(call.params['connector'], 'connector');
    const endpoint = textParam(call.params['endpoint'], 'endpoint');
    const use = { connector, endpoint, versionId: pinnedVersion(connector, context), context };
    const bound = await requireBinding(deps.bindings, use);
    const { definition, secrets } = bind(deps, use, { definition: await definitionOf(deps.connectors, use), bound });
    const given = { ...deps, secrets };
    if (definition.type === 'existing_tool') {
      const tool = { definition, endpoint, inputs: call.inputs };
      return withHooks({ hooks: deps.hooks ?? {}, secrets }, { definition, endpoint, context }, () =>
        callTool(deps.tools?.() ?? {}, tool, context),
      );
    }
    return { output: await callEndpoint(given, { definition, endpoint, inputs: call.inputs, context }) };
  };
  return { call_connector: callConnector };
}

/** What the run pinned at its start, whatever happened to the connector since. */
function pinnedVersion(connector: string, context: ActionContext): string {
  const versionId = ownField(context.connectors, connector);
  if (typeof versionId !== 'string') throw connectorGone(connector);
  return versionId;
}

async function definitionOf(
  connectors: ConnectorVersions,
  { connector, versionId, context }: { connector: string; versionId: string; context: ActionContext },
): Promise<ConnectorDefinition> {
  const version = await connectors.version(context.ownerId, versionId);
  if (version === null) throw connectorGone(connector);
  return version.body;
}

function textParam(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new AppError('invalid_input', `\`${name}\` must name a ${name}.`, { category: 'bad_request' });
  }
  return value;
}
