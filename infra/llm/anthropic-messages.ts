import type Anthropic from '@anthropic-ai/sdk';
import type { JsonObject } from '../../core/base/json';
import { parseJsonText } from './json-text';
import type { ModelMessage, ModelRequest, ModelTool, ModelToolCall } from './types';

type Params = Anthropic.MessageCreateParamsStreaming;
type Block = Anthropic.ContentBlockParam;

/** The protocol demands a limit; large enough for reasoning and a long report, small enough for every current model. */
const DEFAULT_MAX_TOKENS = 32_000;

/** Body of `POST /v1/messages`. Tool use is never forced and no temperature sent: current models refuse both. */
export function messageParams(model: string, request: ModelRequest): Params {
  const tools = request.tools ?? [];
  const wanted = request.json_schema;
  const params: Params = {
    model,
    system: request.system,
    max_tokens: request.max_tokens ?? DEFAULT_MAX_TOKENS,
    messages: turns(request.messages, model),
    stream: true,
  };
  if (tools.length > 0) {
    params.tools = tools.map(tool);
    params.tool_choice = { type: request.tool_choice ?? 'auto' };
  }
  if (wanted?.strict === true) {
    params.output_config = { format: { type: 'json_schema', schema: wanted.schema } };
  }
  return params;
}

function tool(spec: ModelTool): Anthropic.Tool {
  return {
    name: spec.name,
    description: spec.description,
    input_schema: spec.parameters as Anthropic.Tool.InputSchema,
  };
}

/** Tool results are user content here, and all results of one turn belong into one message. */
function turns(messages: readonly ModelMessage[], model: string): Anthropic.MessageParam[] {
  const out: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocks(message, model);
    const last = out.at(-1);
    if (last?.role === role) {
      last.content.push(...content);
    } else {
      out.push({ role, content });
    }
  }
  return out;
}

function blocks(message: ModelMessage, model: string): Block[] {
  if (message.role === 'user') {
    return [{ type: 'text', text: message.text }];
  }
  if (message.role === 'tool') {
    const result = { type: 'tool_result' as const, tool_use_id: message.tool_call_id, content: message.text };
    return [message.is_error === true ? { ...result, is_error: true } : result];
  }
  // Signed reasoning is bound to its model; another one gets the plain turn.
  if (message.native?.provider === 'anthropic' && message.native.model === model) {
    return message.native.content as unknown as Block[];
  }
  const text: Block[] = message.text === undefined || message.text === '' ? [] : [{ type: 'text', text: message.text }];
  return [...text, ...(message.tool_calls ?? []).map(toolUse)];
}

function toolUse(call: ModelToolCall): Block {
  return { type: 'tool_use', id: call.id, name: call.name, input: argumentsObject(call.arguments) };
}

/** The protocol wants an object, whatever the model wrote. */
export function argumentsObject(text: string): JsonObject {
  const parsed = parseJsonText(text);
  const isObject =
    parsed.ok && typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value);
  return isObject ? (parsed.value as JsonObject) : {};
}
