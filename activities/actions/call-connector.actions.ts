import { ownField } from '../../core/base/json';
import { findEndpoint } from '../../core/connector/outputs';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { boundSecretName } from '../../connectors/call/binding';
import { callEndpoint } from '../../connectors/call/call-endpoint';
import { requireInService } from '../../connectors/call/in-service';
import { confirmedSecrets, type BoundSecretUse } from '../../connectors/auth/confirmation';
import type { ConnectorRuntime } from '../../connectors/runtime/runtime';
import type { CallContext, ConnectorDeps } from '../../connectors/call/types';
import type { SecretSource } from '../../infra/secrets/secret-source';
import {
  bind,
  connectorGone,
  requireBinding,
  type BoundSecrets,
  type BoundUse,
  type RunBindings,
} from './bound-connector';
import { durableCall, refusalNoted } from './connector-call';
import { hookedTool } from './hooked-tool';
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
  /** What calls share; undefined: they go straight through the guard, and nobody confirms where secrets go. */
  runtime: ConnectorRuntime | undefined;
  /** All actions of the worker, for connectors that stand for one of them. */
  tools?: () => ActionTable;
}

/** `call_connector`: params `connector` and `endpoint`; inputs and output are those of the endpoint. */
export function createConnectorActions(deps: CallConnectorDeps): ActionTable {
  const callConnector: Action = async (call, context) => {
    const connector = textParam(call.params['connector'], 'connector');
    const endpoint = textParam(call.params['endpoint'], 'endpoint');
    const { versionId, definition, secrets, secretOwner } = await refusalNoted({ connector, endpoint, context }, () =>
      prepare(deps, { connector, endpoint, context }),
    );
    const { ownerId, effectKey, timeoutMs, signal } = context;
    const beforeEffect: CallContext['beforeEffect'] = (target) => context.beforeEffect(target);
    const { clock } = context;
    const base = { ownerId, effectKey, timeoutMs, signal, clock, beforeEffect, versionId };
    const { runtime } = deps;
    if (definition.type === 'existing_tool') {
      const tool = { definition, endpoint, inputs: call.inputs, versionId, runtime };
      return hookedTool({ hooks: deps.hooks ?? {}, secrets }, { definition, endpoint, context }, () =>
        callTool(deps.tools?.() ?? {}, tool, context),
      );
    }
    const request = { definition, endpoint, inputs: call.inputs };
    if (runtime === undefined)
      return { output: await callEndpoint({ ...deps, secrets }, { ...request, context: base }) };
    const declared = findEndpoint(definition, endpoint)?.output_schema;
    const named = { connector, endpoint, params: call.params, context, secretOwner };
    const output = await durableCall(
      { egress: deps.egress, runtime },
      declared === undefined ? named : { ...named, declared },
      ({ exchange, ask, resume }) =>
        callEndpoint(
          { ...deps, secrets, exchange, ask },
          { ...request, context: resume === undefined ? base : { ...base, resume } },
        ),
    );
    return { output };
  };
  return { call_connector: callConnector };
}

interface Prepared {
  versionId: string;
  definition: ConnectorDefinition;
  secrets: SecretSource;
  /** Whose secrets go with the call. */
  secretOwner: string;
}

/** The pinned version as the run's profile may use it now. Throws what keeps the call from being made at all. */
async function prepare(deps: CallConnectorDeps, named: Omit<BoundUse, 'versionId'>): Promise<Prepared> {
  const use = { ...named, versionId: pinnedVersion(named.connector, named.context) };
  const bound = await requireBinding(deps.bindings, use);
  const pinned = await definitionOf(deps.connectors, use);
  requireInService(pinned);
  const { definition, secrets } = bind(deps, use, { definition: pinned, bound });
  const confirmed = secretsConfirmed(deps, secrets, {
    ownerId: bound.secretOwner,
    versionId: use.versionId,
    definition,
    stored: pinned,
    sentAs: (secret) => boundSecretName(pinned, secret, bound.binding.credentials),
  });
  return { versionId: use.versionId, definition, secrets: confirmed, secretOwner: bound.secretOwner };
}

function secretsConfirmed({ runtime }: CallConnectorDeps, secrets: SecretSource, use: BoundSecretUse): SecretSource {
  return runtime === undefined ? secrets : confirmedSecrets(secrets, runtime.bindings, use);
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
