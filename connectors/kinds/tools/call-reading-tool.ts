import type { ActionContract } from '../../../core/actions/types';
import { isJsonObject } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import type { EndpointResult } from '../../call/connector-call';
import type { ReadingTool, ReadingTools } from './reading-tools';
import { toolRequest, namedAction, notCarriedOut, type ToolCall } from './tool-call';
import { itemsOf, toolResult } from './tool-result';

/**
 * Carries out the action of an endpoint outside of a run: only one that changes nothing. Throws `action_needs_run` for others,
 * `not_available` for what this version does not have.
 */
export async function callReadingTool(call: ToolCall): Promise<EndpointResult> {
  const { contract, inputs, params } = namedAction(call);
  if (contract.available && contract.effect !== 'none') throw needsRun(call, contract);
  const action = contract.available ? ownTool(call.services.readingTools, contract.name) : undefined;
  if (action === undefined) throw notCarriedOut(contract.name, 'bad_request');
  const work = async (): Promise<EndpointResult> => {
    const result = toolResult(call.endpoint, await action({ inputs, params }, call.ownerId));
    return isJsonObject(result) ? result : { results: [result], count: 1 };
  };
  return call.source(toolRequest(call), work, itemsOf);
}

function ownTool(tools: ReadingTools, name: string): ReadingTool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** Refuses actions that commit: they do so with the result of a step, and a test has none. */
function needsRun({ connector, name: endpoint }: ToolCall, { name, effect }: ActionContract): AppError {
  return new AppError(
    'action_needs_run',
    `\`${connector.id}.${endpoint}\` stands for the action \`${name}\`, which may change something (effect \`${effect}\`): it is only carried out by a step of a run. Put it into a playbook and try that with POST /playbooks/{id}/test, a dry run that changes nothing.`,
    { category: 'forbidden', details: { action: name, effect } },
  );
}
