import type { ServerResponse } from 'node:http';
import { isClosed } from './model-server-openai';
import type { Reply, ReplyContext, SeenRequest } from './model-server-types';
import { pieces, replyText, sendEvents, sendJson } from './model-server-wire';

type Block = { type: string; id?: string; tool_use_id?: string; text?: string };
type Turn = { role: string; content: Block[] | string };

/** Faults for which the real API would refuse the request. */
export function checkAnthropic(seen: SeenRequest, keys: string[] | undefined): Reply | undefined {
  // Bearer since API version 2026-10-21.
  const key = (seen.headers['authorization'] ?? '').replace(/^Bearer /, '');
  if (key === '' || (keys !== undefined && !keys.includes(key))) {
    return anthropicError(401, 'authentication_error', `invalid x-api-key ${key}`);
  }
  const { body } = seen;
  if (seen.headers['anthropic-version'] === undefined || typeof body['max_tokens'] !== 'number') {
    return anthropicError(400, 'invalid_request_error', 'max_tokens: Field required');
  }
  const choice = (body['tool_choice'] as { type?: string } | undefined)?.type;
  if (choice === 'any' || choice === 'tool' || 'temperature' in body) {
    return anthropicError(
      400,
      'invalid_request_error',
      'tool_choice: forced tool use, or temperature, is not supported',
    );
  }
  const format = (body['output_config'] as { format?: { schema?: unknown } } | undefined)?.format;
  if (format !== undefined && !isClosed(format.schema)) {
    return anthropicError(
      400,
      'invalid_request_error',
      "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    );
  }
  return turnsProblem(body['messages'] as Turn[], body['tools'] !== undefined);
}

function turnsProblem(turns: Turn[], hasTools: boolean): Reply | undefined {
  let open: string[] = [];
  for (const turn of turns) {
    const blocks = typeof turn.content === 'string' ? [{ type: 'text', text: turn.content }] : turn.content;
    if (blocks.length === 0 || blocks.some((block) => block.type === 'text' && (block.text ?? '') === '')) {
      return anthropicError(400, 'invalid_request_error', 'messages: text content blocks must be non-empty');
    }
    if (blocks.some((block) => block.type === 'tool_use' && !hasTools)) {
      return anthropicError(400, 'invalid_request_error', 'Requests which include `tool_use` blocks must define tools');
    }
    const results = blocks.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id ?? '');
    if (open.some((id) => !results.includes(id)) || results.some((id) => !open.includes(id))) {
      return anthropicError(
        400,
        'invalid_request_error',
        '`tool_use` ids were found without `tool_result` blocks immediately after',
      );
    }
    open = blocks.filter((block) => block.type === 'tool_use').map((block) => block.id ?? '');
  }
  return open.length > 0 ? anthropicError(400, 'invalid_request_error', '`tool_use` without `tool_result`') : undefined;
}

function anthropicError(status: number, type: string, message: string): Reply {
  return { status, error: { type, message } };
}

export async function sendAnthropic(context: ReplyContext, response: ServerResponse): Promise<void> {
  const { reply, request } = context;
  const headers = { 'request-id': 'req_stand_in', ...reply.headers };
  if (reply.status !== undefined) {
    const error = reply.error ?? { type: reply.status === 529 ? 'overloaded_error' : 'api_error', message: 'error' };
    return sendJson(response, reply.status, { type: 'error', error, request_id: 'req_stand_in' }, headers);
  }
  if (request.body['stream'] === true && reply.whole !== true) {
    const asError = (error: object): { name: string; data: unknown } => ({
      name: 'error',
      data: { type: 'error', error },
    });
    return sendEvents(response, { ...reply, headers }, events(context), asError);
  }
  sendJson(
    response,
    200,
    { ...message(context), content: wholeBlocks(reply), ...stop(reply), usage: usage(reply) },
    headers,
  );
}

function message({ model }: ReplyContext): object {
  return {
    id: 'msg_stand_in',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function usage(reply: Reply): Record<string, unknown> {
  const {
    input,
    output,
    cached = 0,
    written = 0,
    tier = 'standard',
  }: NonNullable<Reply['usage']> = reply.usage ?? {
    input: 100,
    output: 20,
  };
  return {
    input_tokens: typeof input === 'number' && typeof cached === 'number' ? input - cached : input,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    output_tokens: output,
    service_tier: tier,
  };
}

function stop(reply: Reply): object {
  if (reply.refusal !== undefined) {
    return {
      stop_reason: 'refusal',
      stop_sequence: null,
      stop_details: { type: 'refusal', category: null, explanation: reply.refusal },
    };
  }
  const reason = reply.stop === 'length' ? 'max_tokens' : reply.tool_calls === undefined ? 'end_turn' : 'tool_use';
  const stop_reason = reply.ends_as === undefined ? reason : reply.ends_as;
  return { stop_reason, stop_sequence: null, stop_details: null };
}

function wholeBlocks(reply: Reply): object[] {
  const text = replyText(reply);
  return [
    ...(reply.thinking === undefined ? [] : [{ type: 'thinking', thinking: reply.thinking, signature: 'c2lnbmVk' }]),
    ...(text === '' || reply.refusal !== undefined ? [] : [{ type: 'text', text }]),
    ...calls(reply).map((call) => ({ ...call.start, input: asWritten(call.input) })),
  ];
}

/** Numbers are written as the script gives them. */
function asWritten(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  const { rawJSON: raw } = JSON as unknown as { rawJSON(this: void, text: string): unknown };
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? raw(source) : value,
  );
}

function calls(reply: Reply): { start: object; input: string }[] {
  return (reply.tool_calls ?? []).map((call, index) => ({
    start: { type: 'tool_use', id: call.id ?? `toolu_${index}_${call.name}`, name: call.name, input: {} },
    input: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }));
}

interface Event {
  name: string;
  data: unknown;
}

function events(context: ReplyContext): Event[] {
  const { reply } = context;
  const out: Event[] = [];
  let index = 0;
  const block = (content_block: object, deltas: object[]): void => {
    out.push(event('content_block_start', { index, content_block }));
    out.push(...deltas.map((delta) => event('content_block_delta', { index, delta })));
    out.push(event('content_block_stop', { index }));
    index += 1;
  };
  const { output_tokens, ...input } = usage(reply);
  out.push(event('message_start', { message: { ...message(context), usage: { ...input, output_tokens: 1 } } }));
  out.push(event('ping', {}));
  if (reply.thinking !== undefined) {
    const signature = { type: 'signature_delta', signature: 'c2lnbmVk' };
    block({ type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: reply.thinking },
      signature,
    ]);
  }
  const text = replyText(reply);
  if (text !== '' && reply.refusal === undefined) {
    block(
      { type: 'text', text: '' },
      pieces(text, reply).map((piece) => ({ type: 'text_delta', text: piece })),
    );
  }
  for (const call of calls(reply)) {
    block(
      call.start,
      pieces(call.input, { piece: 7 }).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  }
  out.push(event('message_delta', { delta: stop(reply), usage: { output_tokens } }));
  out.push(event('message_stop', {}));
  return out;
}

function event(type: string, fields: object): Event {
  return { name: type, data: { type, ...fields } };
}
