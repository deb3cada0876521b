import type OpenAI from 'openai';
import type { ModelMessage, ModelRequest } from './types';

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type ChatParams = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** Body of `POST /chat/completions`. */
export function chatParams(model: string, request: ModelRequest): ChatParams {
  const tools = request.tools ?? [];
  return {
    model,
    messages: [{ role: 'system', content: request.system }, ...request.messages.map(chatMessage)],
    stream: true,
    stream_options: { include_usage: true },
    ...(request.max_tokens === undefined ? {} : { max_completion_tokens: request.max_tokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(tools.length === 0 ? {} : { tools: tools.map(chatTool), tool_choice: request.tool_choice ?? 'auto' }),
    ...(request.json_schema === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: request.json_schema } }),
  };
}

function chatTool(tool: NonNullable<ModelRequest['tools']>[number]): OpenAI.Chat.Completions.ChatCompletionTool {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.parameters },
  };
}

function chatMessage(message: ModelMessage): ChatMessage {
  if (message.role === 'user') {
    return { role: 'user', content: message.text };
  }
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.tool_call_id, content: message.text };
  }
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: call.arguments },
  }));
  return { role: 'assistant', content: message.text ?? null, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}
