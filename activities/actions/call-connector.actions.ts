import { ownField } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { callEndpoint } from '../../infra/connectors/call-endpoint';
import { withHooks } from '../../infra/connectors/hooks/call-hooks';
import type { ConnectorDeps, SecretSource } from '../../infra/connectors/types';
import { callTool } from './tool-connector';
import type { Action, ActionContext, ActionTable } from './types';

/** The pinned version of a connector by its id: what `ConnectorsStore.version` gives. */
export interface ConnectorVersions {
  version(ownerId: string, versionId: string): Promise<PinnedConnector | null>;
}

interface PinnedConnector {
  /** Who wrote it. */
  owner_id: string;
  body: ConnectorDefinition;
}

export interface ConnectorActionDeps extends ConnectorDeps {
  connectors: ConnectorVersions;
  /** All actions of the worker, for connectors that stand for one of them. */
  tools?: () => ActionTable;
}

/** `call_connector`: params `connector` and `endpoint`; inputs and output are those of the endpoint. */
export function createConnectorActions(deps: ConnectorActionDeps): ActionTable {
  const callConnector: Action = async (call, context) => {
    const connector = textParam(call.params['connector'], 'connector');
    const endpoint = textParam(call.params['endpoint'], 'endpoint');
    const { owner_id, body: definition } = await pinned(deps.connectors, connector, context);
    const secrets = owner_id === context.ownerId ? deps.secrets : noSecrets(connector);
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

/** The version that the run pinned at its start, whatever happened to the connector since. */
async function pinned(
  connectors: ConnectorVersions,
  connector: string,
  context: ActionContext,
): Promise<PinnedConnector> {
  const versionId = ownField(context.connectors, connector);
  const version = typeof versionId === 'string' ? await connectors.version(context.ownerId, versionId) : null;
  if (version === null) {
    throw new AppError(
      'connector_not_found',
      `The run has no connector \`${connector}\`. Create it, then start the run again.`,
      {
        category: 'not_found',
      },
    );
  }
  return version;
}

/**
 * A run for a colleague's agent calls connectors that he wrote. They say where a request goes and which secret goes with
 * it: the secrets of whoever started the run are not his to send.
 */
function noSecrets(connector: string): SecretSource {
  return {
    resolve: () =>
      Promise.reject(
        new AppError(
          'secret_of_another',
          `The connector \`${connector}\` belongs to whoever shares this agent, so your secrets are not given to it. Run the playbook with a connector of your own.`,
          { category: 'forbidden' },
        ),
      ),
  };
}

function textParam(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new AppError('invalid_input', `\`${name}\` must name a ${name}.`, { category: 'bad_request' });
  }
  return value;
}
