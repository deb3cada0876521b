import { ownField } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { confirmedSecrets, type Confirmations } from '../../connectors/auth/confirmation';
import { boundSecretName } from '../../connectors/call/binding';
import type { CallRequest, ConnectorServices } from '../../connectors/call/connector-call';
import { requireInService } from '../../connectors/call/in-service';
import { prepareCall } from '../../connectors/call/prepare-call';
import type { CallHooks } from '../../connectors/hooks/hook-types';
import { isToolCall } from '../../connectors/kinds/tools/tool-call';
import type { CallRecorder } from '../../connectors/runtime/records/call-recorder';
import {
  bind,
  connectorNotFound,
  requireBinding,
  type BoundSecrets,
  type BoundUse,
  type RunBindings,
} from './bound-connector';
import { durableCall, ledgerOf, recordRefusal, resumeOf } from './durable-call';
import { hookedTool } from './hooked-tool';
import { callTool } from './tool-connector';
import type { ConnectorVersions } from './connector-versions';
import type { Action, ActionCall, ActionContext, ActionTable } from './types';

export interface CallConnectorDeps {
  services: ConnectorServices;
  connectors: ConnectorVersions;
  bindings: RunBindings;
  secrets: BoundSecrets;
  /** Places that owners have confirmed for their secrets. */
  confirmations: Confirmations;
  hooks: CallHooks;
  /** Recorder of calls that are no HTTP requests: of connectors that stand for an action. */
  recorder: Pick<CallRecorder, 'add'>;
  /** All actions of the worker, for connectors that stand for one of them. */
  tools: () => ActionTable;
}

/** `call_connector`: params `connector` and `endpoint`; inputs and output are those of the endpoint. */
export function createConnectorActions(deps: CallConnectorDeps): ActionTable {
  const callConnector: Action = async (asked, context) => {
    const use = {
      connector: textParam(asked.params['connector'], 'connector'),
      endpoint: textParam(asked.params['endpoint'], 'endpoint'),
      context,
    };
    const call = await recordRefusal(use, async () => {
      const bound = await bindVersion(deps, use);
      return prepareCall(deps.services, {
        ...bound,
        ...factsOf(asked, context),
        name: use.endpoint,
        hooks: deps.hooks,
      });
    });
    if (!isToolCall(call)) return { output: await durableCall(call, context) };
    return hookedTool(call, () => callTool(deps, call, context));
  };
  return { call_connector: callConnector };
}

/** Facts of a call that its step gives. */
function factsOf(
  { inputs, params }: ActionCall,
  context: ActionContext,
): Omit<CallRequest, keyof BoundVersion | 'name' | 'hooks'> {
  const { ownerId, effectKey, timeoutMs, signal, clock } = context;
  return {
    inputs,
    ownerId,
    effectKey,
    now: clock.now,
    timeoutMs,
    signal,
    beforeEffect: (target) => context.beforeEffect(target),
    resume: resumeOf(context),
    ledger: ledgerOf(context, params),
  };
}

/** Version of a connector as the run's profile may call it now. */
type BoundVersion = Pick<CallRequest, 'versionId' | 'definition' | 'secrets' | 'secretOwner'>;

/** Binds the pinned version by the rules of the run's profile. Throws what forbids the call. */
async function bindVersion(deps: CallConnectorDeps, named: Omit<BoundUse, 'versionId'>): Promise<BoundVersion> {
  const versionId = pinnedVersion(named.connector, named.context);
  const use = { ...named, versionId };
  const bound = await requireBinding(deps.bindings, use);
  const { secretOwner } = bound;
  const pinned = await definitionOf(deps.connectors, use);
  requireInService(pinned);
  const { definition, secrets } = bind(deps, use, { definition: pinned, bound });
  const confirmed = confirmedSecrets(secrets, deps.confirmations, {
    ownerId: secretOwner,
    versionId,
    definition,
    stored: pinned,
    sentAs: (secret) => boundSecretName(pinned, secret, bound.binding.credentials),
  });
  return { versionId, definition, secrets: confirmed, secretOwner };
}

/** Version that the run pinned at its start, whatever happened to the connector since. */
function pinnedVersion(connector: string, context: ActionContext): string {
  const versionId = ownField(context.connectors, connector);
  if (typeof versionId !== 'string') throw connectorNotFound(connector);
  return versionId;
}

async function definitionOf(
  connectors: ConnectorVersions,
  { connector, versionId, context }: { connector: string; versionId: string; context: ActionContext },
): Promise<ConnectorDefinition> {
  const version = await connectors.version(context.ownerId, versionId);
  if (version === null) throw connectorNotFound(connector);
  return version.body;
}

function textParam(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new AppError('invalid_input', `\`${name}\` must name a ${name}.`, { category: 'bad_request' });
  }
  return value;
}
