import type OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import type { Json } from '../../core/base/json';
import type { LiveCall, ModelCompletion, ModelMessage, ModelRequest, ModelUsage } from './types';
import { textOrNothing } from './as-text';
import { isEventStream, readBody } from './json-body';
import { byProtocol, notDone } from './protocol-error';
import { usageOf } from './token-count';

type Answer = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseInputItem;
type Params = OpenAI.Responses.ResponseCreateParamsStreaming;

/** OpenAI's responses API: current OpenAI models take tools here only. Nothing is stored at the provider. */
export async function callResponses(
  client: OpenAI,
  model: string,
  request: ModelRequest,
  live: LiveCall,
): Promise<ModelCompletion> {
  const response = await client.responses.create(responseParams(model, request), { signal: live.signal }).asResponse();
  const answer = isEventStream(response) ? await lastOf(client, response, live) : await wholeOf(response);
  live.usage = responseUsage(answer);
  return byProtocol(() => completion(model, answer, live.usage));
}

function responseParams(model: string, request: ModelRequest): Params {
  const wanted = request.json_schema;
  return {
    model,
    instructions: request.system,
    input: request.messages.flatMap((message) => items(message, model)),
    tools: (request.tools ?? []).map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    })),
    tool_choice: request.tool_choice ?? 'auto',
    ...(wanted === undefined ? {} : { text: { format: { type: 'json_schema', ...wanted } } }),
    ...(request.max_tokens === undefined ? {} : { max_output_tokens: request.max_tokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    // The reasoning comes along encrypted, so that the next round can go on from it.
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  };
}

function items(message: ModelMessage, model: string): Item[] {
  if (message.role === 'user') {
    return [{ role: 'user', content: message.text }];
  }
  if (message.role === 'tool') {
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.text }];
  }
  if (message.native?.provider === 'openai' && message.native.model === model) {
    return message.native.content as unknown as Item[];
  }
  const text: Item[] =
    message.text === undefined || message.text === '' ? [] : [{ role: 'assistant', content: message.text }];
  const calls = (message.tool_calls ?? []).map((call) => ({
    type: 'function_call' as const,
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
  }));
  return [...text, ...calls];
}

async function wholeOf(response: Response): Promise<Answer> {
  const read: Answer[] = [];
  await readBody(response, (body) => {
    const answer = body as Answer;
    if (typeof answer.status !== 'string') throw new TypeError('no status');
    read.push(answer);
  });
  return read[0] as Answer;
}

/** The last event carries the whole answer; those before it only show that the model is at work. */
async function lastOf(client: OpenAI, response: Response, live: LiveCall): Promise<Answer> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  live.signal.addEventListener('abort', onAbort, { once: true });
  let last: Answer | undefined;
  try {
    for await (const event of Stream.fromSSEResponse<OpenAI.Responses.ResponseStreamEvent>(
      response,
      controller,
      client,
    )) {
      last = byProtocol(() => endOf(event)) ?? last;
    }
  } finally {
    live.signal.removeEventListener('abort', onAbort);
  }
  live.signal.throwIfAborted();
  if (last === undefined) throw notDone('status', null);
  return last;
}

function endOf(event: OpenAI.Responses.ResponseStreamEvent): Answer | undefined {
  const isEnd =
    event.type === 'response.completed' || event.type === 'response.incomplete' || event.type === 'response.failed';
  return isEnd ? event.response : undefined;
}

function completion(model: string, answer: Answer, usage: ModelUsage | null): ModelCompletion {
  if (answer.status === 'failed' || answer.error) {
    // Takes the shape of an SDK error, so that one place judges them all.
    throw Object.assign(new Error(answer.error?.message ?? 'failed'), {
      code: answer.error?.code,
      type: 'server_error',
    });
  }
  if (answer.status !== 'completed' && answer.status !== 'incomplete') throw notDone('status', answer.status ?? null);
  const texts: string[] = [];
  const refusals: string[] = [];
  const tool_calls: ModelCompletion['tool_calls'] = [];
  for (const item of answer.output ?? []) {
    if (item.type === 'function_call') {
      tool_calls.push({
        id: textOrNothing(item.call_id),
        name: textOrNothing(item.name),
        arguments: textOrNothing(item.arguments),
      });
    }
    for (const part of item.type === 'message' ? item.content : []) {
      if (part.type === 'refusal') refusals.push(textOrNothing(part.refusal));
      else texts.push(textOrNothing(part.text));
    }
  }
  const stop_reason = stopReason(answer, refusals.length > 0, tool_calls.length);
  const text = (stop_reason === 'refusal' && refusals.length > 0 ? refusals : texts).join('');
  const native = { provider: 'openai' as const, model, content: answer.output as unknown as Json };
  return { provider: 'openai', model, text, tool_calls, stop_reason, usage, native };
}

function stopReason(answer: Answer, refused: boolean, calls: number): ModelCompletion['stop_reason'] {
  if (refused || answer.incomplete_details?.reason === 'content_filter') {
    return 'refusal';
  }
  if (answer.status === 'incomplete') {
    return 'length';
  }
  return calls > 0 ? 'tool_calls' : 'end';
}

function responseUsage({ usage, service_tier: tier }: Answer): ModelUsage | null {
  if (!usage) {
    return null;
  }
  const { input_tokens: input, output_tokens: output } = usage;
  return usageOf({ input, output, cached: usage.input_tokens_details?.cached_tokens, tier });
}
