import { coerceInputs, coerceParams } from '../../../core/actions/coerce';
import { getContract } from '../../../core/actions/registry';
import type { ActionContract } from '../../../core/actions/types';
import type { JsonObject } from '../../../core/base/json';
import { toolName } from '../../../core/connector/find-endpoint';
import type { ToolConnector, ToolEndpoint } from '../../../core/connector/types';
import { AppError, type ErrorCategory } from '../../../core/errors/app-error';
import { boundValues } from '../../call/bound-values';
import type { ConnectorCall } from '../../call/connector-call';
import type { SourceRequest } from '../../runtime/source-client';

export type ToolCall = ConnectorCall<ToolConnector>;

export function isToolCall(call: ConnectorCall): call is ToolCall {
  return call.connector.type === 'existing_tool';
}

/** Action of an existing tool's endpoint, with its arguments as a tool step would give them. */
export interface NamedAction {
  contract: ActionContract;
  inputs: JsonObject;
  params: JsonObject;
}

/** Throws `unknown_tool`, `invalid_input`. */
export function namedAction({ connector, endpoint, inputs }: ToolCall): NamedAction {
  const contract = contractOf(toolName(connector, endpoint));
  return { contract, ...argumentsOf(contract, givenTo(endpoint, inputs)) };
}

/** The call as records show it. */
export function toolRequest(call: ToolCall): SourceRequest {
  const origin = `action:${toolName(call.connector, call.endpoint)}`;
  return { call, origin, method: 'CALL', attempt: 1 };
}

export function notCarriedOut(action: string, category: ErrorCategory): AppError {
  return new AppError('not_available', `The action \`${action}\` cannot be carried out by this version.`, { category });
}

/** Declared parameters narrow what the action takes, and their defaults are settings that a caller may leave alone. */
function givenTo({ parameters }: ToolEndpoint, inputs: JsonObject): JsonObject {
  if (parameters === undefined) return inputs;
  return Object.fromEntries([...boundValues(parameters, inputs)].map(([parameter, value]) => [parameter.name, value]));
}

/**
 * Contract of an action that a tool step could name itself. A connector call is refused: it would lead around in
 * circles and past its own pin.
 */
function contractOf(tool: string): ActionContract {
  const contract = getContract(tool);
  if (contract !== undefined && contract.step_type === 'tool' && contract.dynamic !== 'connector_endpoint') {
    return contract;
  }
  throw new AppError('unknown_tool', `\`${tool}\` is no action that a connector can stand for.`, {
    category: 'bad_request',
  });
}

/** An endpoint has inputs alone; the action's params are told from them by their names. */
function argumentsOf({ name, ...contract }: ActionContract, given: JsonObject): Pick<NamedAction, 'inputs' | 'params'> {
  const names = new Set(contract.inputs.map((field) => field.name));
  const params = new Set(contract.params.map((field) => field.name).filter((each) => !names.has(each)));
  const pick = (wanted: boolean): JsonObject =>
    Object.fromEntries(Object.entries(given).filter(([each]) => params.has(each) === wanted));
  return { inputs: coerceInputs(name, pick(false)), params: coerceParams(name, pick(true)) };
}
