import { coerceInputs, coerceParams } from '../../core/actions/coerce';
import { getContract } from '../../core/actions/registry';
import type { ActionContract } from '../../core/actions/types';
import type { Json, JsonObject } from '../../core/base/json';
import { findEndpoint, toolName } from '../../core/connector/find-endpoint';
import type { ToolConnector, ToolEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { boundValues } from '../../infra/connectors/rest-values';
import { toolResult } from '../../infra/connectors/tools/tool-result';
import type { Action, ActionCall, ActionContext, ActionOutcome, ActionTable } from './types';

export interface ToolCall {
  definition: ToolConnector;
  endpoint: string;
  inputs: JsonObject;
}

/**
 * Carries out the action that an endpoint of an existing tool names, in the very context of the step: the same effect key, the
 * same gate before it, the same record of what left. What the action commits is committed with the step's result, as ever.
 */
export async function callTool(actions: ActionTable, call: ToolCall, context: ActionContext): Promise<ActionOutcome> {
  const endpoint = endpointOf(call);
  const tool = toolName(call.definition, endpoint);
  const action = actionOf(actions, tool);
  const given = givenTo(endpoint, call.inputs);
  const outcome = await action(argumentsOf(tool, contractOf(tool), given), context);
  const shape = (output: Json): Json => toolResult(endpoint, output);
  if ('output' in outcome) return { output: shape(outcome.output) };
  return { commit: async (sql) => shape(await outcome.commit(sql)) };
}

/** Declared parameters narrow what the action takes, and their defaults are settings that a caller may leave alone. */
function givenTo({ parameters }: ToolEndpoint, inputs: JsonObject): JsonObject {
  if (parameters === undefined) return inputs;
  return Object.fromEntries([...boundValues(parameters, inputs)].map(([parameter, value]) => [parameter.name, value]));
}

function endpointOf({ definition, endpoint: name }: ToolCall): ToolEndpoint {
  const endpoint = findEndpoint(definition, name);
  if (endpoint !== undefined) return endpoint as ToolEndpoint;
  throw new AppError('endpoint_not_found', `The connector \`${definition.id}\` has no endpoint \`${name}\`.`, {
    category: 'bad_request',
  });
}

/** Only what a tool step could name itself. A call of a connector would lead around in circles and past its own pin. */
function contractOf(tool: string): ActionContract {
  const contract = getContract(tool);
  if (contract !== undefined && contract.step_type === 'tool' && contract.dynamic !== 'connector_endpoint') {
    return contract;
  }
  throw new AppError('unknown_tool', `\`${tool}\` is no action that a connector can stand for.`, {
    category: 'bad_request',
  });
}

function actionOf(actions: ActionTable, tool: string): Action {
  const action = contractOf(tool).available && Object.hasOwn(actions, tool) ? actions[tool] : undefined;
  if (action !== undefined) return action;
  throw new AppError('not_available', `The action \`${tool}\` cannot be carried out by this version.`, {
    category: 'unavailable',
  });
}

/** An endpoint has inputs alone; the action's params are told from them by their names. */
function argumentsOf(tool: string, contract: ActionContract, given: JsonObject): ActionCall {
  const names = new Set(contract.inputs.map((field) => field.name));
  const params = new Set(contract.params.map((field) => field.name).filter((name) => !names.has(name)));
  const pick = (wanted: boolean): JsonObject =>
    Object.fromEntries(Object.entries(given).filter(([name]) => params.has(name) === wanted));
  return { action: tool, inputs: coerceInputs(tool, pick(false)), params: coerceParams(tool, pick(true)) };
}
