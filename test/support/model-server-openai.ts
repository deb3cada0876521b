import type { ServerResponse } from 'node:http';
import type { Reply, ReplyContext, SeenRequest } from './model-server-types';
import { pieces, replyText, sendEvents, sendJson } from './model-server-wire';

type Message = { role: string; tool_calls?: { id: string }[]; tool_call_id?: string; content?: unknown };

export function checkOpenAiKey(seen: SeenRequest, keys: string[] | undefined): Reply | undefined {
  const key = (seen.headers['authorization'] ?? '').replace(/^Bearer /, '');
  if (key === '' || (keys !== undefined && !keys.includes(key))) {
    return openAiError(401, 'invalid_request_error', `Incorrect API key provided: ${key}.`, 'invalid_api_key');
  }
  return undefined;
}

/** Models that take function tools at the responses API only, because they reason by default. */
const RESPONSES_ONLY = /^gpt-(?:5\.[6-9]|6)/;

/** Faults for which the real API would refuse the request. */
export function checkOpenAi(seen: SeenRequest): Reply | undefined {
  const { body } = seen;
  if ('max_tokens' in body) {
    return openAiError(
      400,
      'invalid_request_error',
      "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    );
  }
  const unanswered = openCalls(body['messages'] as Message[]);
  if (unanswered !== undefined) {
    return openAiError(400, 'invalid_request_error', unanswered);
  }
  const format = body['response_format'] as
    { json_schema?: { name?: string; strict?: boolean; schema?: unknown } } | undefined;
  if (format?.json_schema?.strict === true && !isClosed(format.json_schema.schema)) {
    return openAiError(
      400,
      'invalid_request_error',
      "Invalid schema for response_format 'result': 'additionalProperties' is required to be false.",
    );
  }
  const tools = (body['tools'] ?? []) as { function: { name: string } }[];
  if (tools.length > 0 && RESPONSES_ONLY.test(String(body['model']))) {
    return openAiError(
      400,
      'invalid_request_error',
      `Function tools with reasoning_effort are not supported for ${String(body['model'])} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
    );
  }
  const bad = tools.find((tool) => !/^[A-Za-z0-9_-]{1,64}$/.test(tool.function.name));
  return bad === undefined
    ? undefined
    : openAiError(400, 'invalid_request_error', `Invalid 'tools[0].function.name': ${bad.function.name}`);
}

function openCalls(messages: Message[]): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id ?? '')) {
        return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      }
      open = open.filter((id) => id !== message.tool_call_id);
    } else if (open.length > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages. Missing: ${open.join(', ')}`;
    } else {
      open = (message.tool_calls ?? []).map((call) => call.id);
    }
  }
  return open.length > 0 ? `Missing tool messages: ${open.join(', ')}` : undefined;
}

/** The strict mode's rule: every object closed, every property required. */
export function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) {
    return schema.every(isClosed);
  }
  if (typeof schema !== 'object' || schema === null) {
    return true;
  }
  const node = schema as Record<string, unknown>;
  const properties = Object.keys((node['properties'] as object | undefined) ?? {});
  const required = (node['required'] as string[] | undefined) ?? [];
  const closed =
    node['type'] !== 'object' ||
    (node['additionalProperties'] === false && properties.every((name) => required.includes(name)));
  return closed && Object.values(node).every(isClosed);
}

function openAiError(status: number, type: string, message: string, code?: string): Reply {
  return { status, error: { type, message, ...(code === undefined ? {} : { code }) } };
}

export async function sendOpenAi(context: ReplyContext, response: ServerResponse): Promise<void> {
  const { reply, request } = context;
  if (reply.status !== undefined) {
    const error = { param: null, code: null, ...(reply.error ?? { type: 'server_error', message: 'error' }) };
    return sendJson(response, reply.status, { error }, reply.headers);
  }
  if (request.body['stream'] === true && reply.whole !== true) {
    return sendEvents(response, reply, chunks(context), (error) => ({ data: { error } }));
  }
  sendJson(response, 200, wholeAnswer(context), reply.headers);
}

const base = (model: string, object: string): object => ({
  id: 'chatcmpl-stand-in',
  object,
  created: 1_790_000_000,
  model,
});

function toolCalls(reply: Reply): { id: string; type: string; function: { name: string; arguments: string } }[] {
  return (reply.tool_calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${index}_${call.name}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
}

function finishReason(reply: Reply): unknown {
  if (reply.ends_as !== undefined) {
    return reply.ends_as;
  }
  if (reply.stop === 'length') {
    return 'length';
  }
  return reply.tool_calls === undefined ? 'stop' : 'tool_calls';
}

function tier({ usage: told }: Reply): object {
  return { service_tier: told?.tier ?? 'default' };
}

function usage(reply: Reply): object | null {
  const used = reply.usage === undefined ? { input: 100, output: 20 } : reply.usage;
  return used === null
    ? null
    : {
        prompt_tokens: used.input,
        completion_tokens: used.output,
        total_tokens: Number(used.input) + Number(used.output),
        prompt_tokens_details: { cached_tokens: used.cached ?? 0 },
      };
}

function chunks(context: ReplyContext): { data: unknown }[] {
  const { reply, model } = context;
  const head = base(model, 'chat.completion.chunk');
  const part = (delta: object, finish_reason: unknown = null): { data: unknown } => ({
    data: { ...head, ...tier(reply), choices: [{ index: 0, delta, finish_reason, logprobs: null }], usage: null },
  });
  const calls = toolCalls(reply).flatMap((call, index) => [
    part({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } }],
    }),
    ...pieces(call.function.arguments, { piece: 7 }).map((text) =>
      part({ tool_calls: [{ index, function: { arguments: text } }] }),
    ),
  ]);
  const withUsage =
    (context.request.body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true;
  return [
    part({ role: 'assistant', content: '', refusal: null }),
    ...pieces(replyText(reply), reply).map((content) => part({ content })),
    ...(reply.refusal === undefined ? [] : [part({ refusal: reply.refusal })]),
    ...calls,
    part({}, finishReason(reply)),
    ...(withUsage && reply.usage !== null
      ? [{ data: { ...head, ...tier(reply), choices: [], usage: usage(reply) } }]
      : []),
    { data: '[DONE]' },
  ];
}

function wholeAnswer({ reply, model }: ReplyContext): object {
  const calls = toolCalls(reply);
  const message = {
    role: 'assistant',
    content: reply.refusal === undefined && calls.length === 0 ? replyText(reply) : null,
    refusal: reply.refusal ?? null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    ...base(model, 'chat.completion'),
    ...tier(reply),
    choices: [{ index: 0, message, finish_reason: finishReason(reply), logprobs: null }],
    ...(reply.usage === null ? {} : { usage: usage(reply) }),
  };
}
