import { completeStructured, resultContract } from '../../infra/llm/structured';
import { systemPrompt, taskPrompt } from './llm-prompts';
import { modelRequest, outputSchemaOf, type LlmDeps } from './llm-request';
import { researchModelCall, type ResearchDeps } from './llm-research';
import type { Action, ActionTable } from './types';

/**
 * `llm_analyze`, `synthesize_report`: one structured answer by the step's `output_schema`.
 * `research_model_call`: one model call of a `research_with_tools` loop; the engine runs the loop.
 */
export function createLlmActions(deps: ResearchDeps): ActionTable {
  return {
    llm_analyze: structuredAnswer(deps),
    synthesize_report: structuredAnswer(deps),
    research_model_call: researchModelCall(deps),
  };
}

function structuredAnswer(deps: LlmDeps): Action {
  return async (call, context) => {
    const contract = resultContract(outputSchemaOf(call));
    const system = systemPrompt(call.action, call.params, contract.schema.wire);
    const messages = [{ role: 'user' as const, text: taskPrompt(call.params, call.inputs) }];
    const request = modelRequest(call, context, deps, { system, messages });
    return { output: await completeStructured(deps.client, request, contract) };
  };
}
