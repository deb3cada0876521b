import { ownField, type Json } from '../../core/base/json';
import { findEndpoint } from '../../core/connector/outputs';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { callEndpoint } from '../../infra/connectors/call-endpoint';
import { confirmedSecrets } from '../../infra/connectors/runtime/confirmation';
import type { ConnectorRuntime } from '../../infra/connectors/runtime/runtime';
import type { CallContext, ConnectorDeps, SecretSource } from '../../infra/connectors/types';
import { durableCall } from './connector-call';
import type { Action, ActionCall, ActionContext, ActionTable } from './types';

/** The pinned version of a connector by its id: what `ConnectorsStore.version` gives. */
export interface ConnectorVersions {
  version(ownerId: string, versionId: string): Promise<PinnedConnector | null>;
}

interface PinnedConnector {
  id: string;
  /** Who wrote it. */
  owner_id: string;
  body: ConnectorDefinition;
}

export type ConnectorActionDeps = ConnectorDeps & { connectors: ConnectorVersions; runtime: ConnectorRuntime };

/** `call_connector`: params `connector` and `endpoint`; inputs and output are those of the endpoint. */
export function createConnectorActions(deps: ConnectorActionDeps): ActionTable {
  const action: Action = async (call, context) => ({ output: await callConnector(deps, call, context) });
  return { call_connector: action };
}

async function callConnector(deps: ConnectorActionDeps, call: ActionCall, context: ActionContext): Promise<Json> {
  const connector = textParam(call.params['connector'], 'connector');
  const endpoint = textParam(call.params['endpoint'], 'endpoint');
  const version = await pinned(deps.connectors, connector, context);
  const { body: definition, id: versionId } = version;
  const use = { ownerId: context.ownerId, versionId, definition };
  const secrets =
    version.owner_id === context.ownerId
      ? confirmedSecrets(deps.secrets, deps.runtime.bindings, use)
      : noSecrets(connector);
  const parts = { egress: deps.egress, runtime: deps.runtime };
  const declared = findEndpoint(definition, endpoint)?.output_schema;
  const named = { connector, endpoint, params: call.params, context, ...(declared === undefined ? {} : { declared }) };
  return durableCall(parts, named, ({ exchange, resume }) => {
    const { ownerId, effectKey, timeoutMs, signal } = context;
    const beforeEffect: CallContext['beforeEffect'] = (target) => context.beforeEffect(target);
    const base = { ownerId, effectKey, timeoutMs, signal, beforeEffect, versionId };
    return callEndpoint(
      { ...deps, secrets, exchange },
      { definition, endpoint, inputs: call.inputs, context: resume === undefined ? base : { ...base, resume } },
    );
  });
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
