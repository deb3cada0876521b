import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { asText } from '../../infra/llm/as-text';
import type { ModelCompletion, ModelMessage, ModelToolCall, NativeMessage } from '../../infra/llm/types';
import { dataSection } from './llm-prompts';

/** Longest tool result that a model gets to read. */
const MAX_RESULT_CHARS = 200_000;
const INVALID_CODES = new Set(['invalid_tool_call', 'tool_not_allowed']);

/**
 * The conversation so far, as the engine keeps it: assistant messages made by `assistantMessage`, and
 * `{role: 'tool', tool_call_id, tool, content: {result} | {error: {code, message}}}`.
 */
export function readTranscript(stored: Json | undefined): ModelMessage[] {
  const list = Array.isArray(stored) ? stored.filter(isJsonObject) : [];
  const out: ModelMessage[] = [];
  let open: ModelToolCall[] = [];
  for (const message of list) {
    if (message['role'] === 'tool') {
      const id = asText(message['tool_call_id']);
      open = open.filter((call) => call.id !== id);
      out.push({ role: 'tool', tool_call_id: id, ...toolText(message) });
    } else if (message['role'] === 'assistant') {
      out.push(...unanswered(open));
      const assistant = readAssistant(message);
      open = assistant.tool_calls ?? [];
      out.push(assistant);
    }
  }
  return [...out, ...unanswered(open)];
}

/** Answers open calls with an error: both protocols refuse a conversation in which a call has no result. */
function unanswered(calls: readonly ModelToolCall[]): ModelMessage[] {
  return calls.map((call) => ({
    role: 'tool',
    tool_call_id: call.id,
    text: 'Not executed: too many calls at once.',
    is_error: true,
  }));
}

function toolText(message: JsonObject): { text: string; is_error?: boolean } {
  const content = isJsonObject(message['content']) ? message['content'] : {};
  const error = content['error'];
  if (isJsonObject(error)) {
    return { text: `${asText(error['code'], 'failed')}: ${asText(error['message'])}`, is_error: true };
  }
  const note = typeof content['note'] === 'string' ? `\n${content['note']}` : '';
  const section = dataSection(asText(message['tool'], 'result'), content['result'] ?? null);
  if (section.length <= MAX_RESULT_CHARS) {
    return { text: section + note };
  }
  return {
    text: `${section.slice(0, MAX_RESULT_CHARS)}\n</data>\nThe result was cut off after ${MAX_RESULT_CHARS} characters; ask for less.${note}`,
  };
}

function readAssistant(message: JsonObject): Extract<ModelMessage, { role: 'assistant' }> {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isJsonObject) : [];
  const tool_calls = calls.map((call) => ({
    id: asText(call['id']),
    name: asText(call['name']),
    arguments: asText(call['arguments'], '{}'),
  }));
  const native = message['native'];
  return {
    role: 'assistant',
    ...(typeof message['text'] === 'string' ? { text: message['text'] } : {}),
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
    ...(isJsonObject(native) ? { native: native as unknown as NativeMessage } : {}),
  };
}

/** Part of an answer that the engine stores and gives back next time. */
export function assistantMessage(completion: ModelCompletion): JsonObject {
  return {
    role: 'assistant',
    ...(completion.text === '' ? {} : { text: completion.text }),
    ...(completion.tool_calls.length === 0 ? {} : { tool_calls: completion.tool_calls.map((call) => ({ ...call })) }),
    ...(completion.native === undefined ? {} : { native: { ...completion.native } }),
  };
}

/** Rounds at the end of the conversation in which the model made calls and not one of them could be executed. */
export function invalidRounds(stored: Json | undefined): number {
  const list = Array.isArray(stored) ? stored.filter(isJsonObject) : [];
  let rounds = 0;
  let bad = 0;
  for (const message of list.toReversed()) {
    if (message['role'] === 'tool') {
      if (!isInvalidCall(message)) {
        return rounds;
      }
      bad += 1;
    } else if (bad > 0) {
      rounds += 1;
      bad = 0;
    }
  }
  return rounds;
}

function isInvalidCall(message: JsonObject): boolean {
  const content = message['content'];
  const error = isJsonObject(content) ? content['error'] : undefined;
  return isJsonObject(error) && INVALID_CODES.has(asText(error['code']));
}
