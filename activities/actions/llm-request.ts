import { AppError } from '../../core/errors/app-error';
import type { OutputSchema } from '../../core/playbook/types';
import type { PriceTable } from '../../infra/llm/prices';
import type { ModelClient, ModelMessage, ModelRequest } from '../../infra/llm/types';
import { bookCalls, type ModelCallLedger } from './llm-ledger';
import { numberParam, textParam } from './llm-prompts';
import type { ActionCall, ActionContext } from './types';

export interface LlmDeps {
  client: ModelClient;
  ledger: ModelCallLedger;
  prices: PriceTable;
}

/** Part of the step's time that is kept for recording the call after the model was told to stop. */
const MARGIN_MS = 500;

/** The only way to call a model: throws `model_not_allowed` in a run that must use none, whatever its definitions have become. */
export function modelRequest(
  call: ActionCall,
  context: ActionContext,
  deps: LlmDeps,
  content: { system: string; messages: ModelMessage[] },
): ModelRequest {
  if (context.deterministic === true) throw modelNotAllowed(call.action);
  const maxTokens = numberParam(call.params, 'max_tokens', 1);
  const temperature = numberParam(call.params, 'temperature', 0);
  const prefer = textParam(call.params, 'model');
  return {
    ...content,
    ...(maxTokens === undefined ? {} : { max_tokens: Math.floor(maxTokens) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(prefer === undefined ? {} : { prefer }),
    deadline_ms: Math.max(context.timeoutMs - MARGIN_MS, context.timeoutMs * 0.9),
    signal: context.signal,
    onSend: bookCalls(context, deps.ledger, deps.prices),
  };
}

export function outputSchemaOf(call: ActionCall): OutputSchema {
  if (call.output_schema === undefined) {
    throw new AppError(
      'missing_output_schema',
      `A ${call.action} step must say in output_schema which fields its result has.`,
      {
        category: 'validation',
        details: { field: 'output_schema' },
      },
    );
  }
  return call.output_schema;
}

function modelNotAllowed(action: string): AppError {
  const message = `The run is deterministic, but ${action} calls a model. Write execution_mode: hybrid, or take the step out.`;
  return new AppError('model_not_allowed', message, { category: 'forbidden' });
}
