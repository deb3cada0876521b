import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import type { ToolSpec } from '../../core/schema/tool-specs';
import { llmError } from '../../infra/llm/errors';
import {
  completeStructured,
  readResult,
  resultContract,
  requireComplete,
  type ResultContract,
} from '../../infra/llm/structured';
import type { ModelCompletion, ModelMessage, ModelRequest } from '../../infra/llm/types';
import { systemPrompt, taskPrompt } from './llm-prompts';
import { modelRequest, outputSchemaOf, type LlmDeps } from './llm-request';
import { ToolBox, type CheckedCall } from './llm-tools';
import { assistantMessage, invalidRounds, readTranscript } from './llm-transcript';
import type { Action, ActionCall, ActionContext } from './types';

export interface ResearchDeps extends LlmDeps {
  /** The tools that `params.tools` names. Throws AppError for a name that may not be offered. */
  toolSpecs(names: string[], context: ActionContext): Promise<ToolSpec[]>;
}

const MAX_INVALID_ROUNDS = 3;
const LAST_WORDS = 'No more tool calls are possible. Give your final answer now, from what you know so far.';

/**
 * One model call of a tool loop. Inputs besides the step's own: `messages` (see llm-transcript), `round`,
 * `final`. Output: `{message, tool_calls: [{id, tool, inputs, params?, error?}], done, result?}`.
 * `done` comes with `result`, which fits `output_schema`; a call with `error` must not be executed.
 * Throws `llm_invalid_tool_call` after three rounds in a row without one executable call.
 */
export function researchModelCall(deps: ResearchDeps): Action {
  return async (call, context) => {
    const contract = resultContract(outputSchemaOf(call));
    const box = new ToolBox(await deps.toolSpecs(toolNames(call), context));
    const request = researchRequest(call, context, deps, contract, box);
    if (call.inputs['final'] === true || box.size === 0) {
      return { output: await finalAnswer(deps, request, contract) };
    }
    const completion = requireComplete(await deps.client.complete(request), request);
    if (completion.tool_calls.length > 0) {
      return { output: toolRound(completion, box, invalidRounds(call.inputs['messages'])) };
    }
    const read = readResult(completion, contract);
    if ('value' in read) {
      return { output: { message: assistantMessage(completion), tool_calls: [], result: read.value, done: true } };
    }
    // The model stopped calling tools, but its answer has no usable form: ask for the form alone.
    return { output: await finalAnswer(deps, withAnswer(request, completion), contract) };
  };
}

function researchRequest(
  call: ActionCall,
  context: ActionContext,
  deps: ResearchDeps,
  contract: ResultContract,
  box: ToolBox,
): ModelRequest {
  const { messages, round: _round, final: _final, ...material } = call.inputs;
  const first: ModelMessage = { role: 'user', text: taskPrompt(call.params, material) };
  const content = {
    system: systemPrompt('research_with_tools', call.params, contract.schema.wire),
    messages: [first, ...readTranscript(messages)],
  };
  return { ...modelRequest(call, context, deps, content), ...(box.size === 0 ? {} : { tools: box.wire() }) };
}

async function finalAnswer(deps: ResearchDeps, request: ModelRequest, contract: ResultContract): Promise<JsonObject> {
  const messages: ModelMessage[] = [...request.messages, { role: 'user', text: LAST_WORDS }];
  const result = await completeStructured(deps.client, { ...request, messages, tool_choice: 'none' }, contract);
  return { message: null, tool_calls: [], result, done: true };
}

function withAnswer(request: ModelRequest, completion: ModelCompletion): ModelRequest {
  const said: ModelMessage[] = completion.text.trim() === '' ? [] : [{ role: 'assistant', text: completion.text }];
  return { ...request, messages: [...request.messages, ...said] };
}

function toolRound(completion: ModelCompletion, box: ToolBox, invalidBefore: number): JsonObject {
  const calls: CheckedCall[] = completion.tool_calls.map((call) => box.check(call));
  const allInvalid = calls.every((call) => call['error'] !== undefined);
  if (allInvalid && invalidBefore + 1 >= MAX_INVALID_ROUNDS) {
    const last = calls.map((call) => call['error'] ?? null);
    throw llmError(
      'llm_invalid_tool_call',
      `${completion.provider}/${completion.model} made ${MAX_INVALID_ROUNDS} rounds of tool calls that cannot be executed.`,
      completion,
      {
        category: 'upstream',
        retryable: true,
        details: { errors: last },
      },
    );
  }
  return { message: assistantMessage(completion), tool_calls: calls, done: false };
}

function toolNames(call: ActionCall): string[] {
  const tools = call.params['tools'] ?? [];
  if (!Array.isArray(tools) || tools.some((tool) => typeof tool !== 'string')) {
    throw new AppError('invalid_input', 'params.tools must be a list of names of tools.', {
      category: 'validation',
      details: { field: 'params.tools' },
    });
  }
  return tools as string[];
}
