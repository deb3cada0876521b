import type OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import { chatParams } from './openai-messages';
import { textOrNothing } from './as-text';
import { isEventStream, readBody } from './json-body';
import { byProtocol, notDone } from './protocol-error';
import { usageOf } from './token-count';
import type { LiveCall, ModelCompletion, ModelRequest, ModelToolCall, ModelUsage } from './types';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Whole = OpenAI.Chat.Completions.ChatCompletion;

/** Chat completions: what every compatible server understands. */
export async function callChat(
  client: OpenAI,
  model: string,
  request: ModelRequest,
  live: LiveCall,
): Promise<ModelCompletion> {
  const response = await client.chat.completions
    .create(chatParams(model, request), { signal: live.signal })
    .asResponse();
  const answer = new ChatAnswer();
  if (isEventStream(response)) {
    await readStream(client, response, answer, live);
  } else {
    await readBody(response, (body) => answer.whole(body as Whole));
    live.usage = answer.usage;
  }
  return byProtocol(() => answer.completion(model, request));
}

/** Reads with the client, whose logger is off: the SDK's own would print to the console. */
async function readStream(client: OpenAI, response: Response, answer: ChatAnswer, live: LiveCall): Promise<void> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  live.signal.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const chunk of Stream.fromSSEResponse<Chunk>(response, controller, client)) {
      byProtocol(() => answer.chunk(chunk));
      live.usage = answer.usage ?? live.usage;
    }
  } finally {
    live.signal.removeEventListener('abort', onAbort);
  }
  live.signal.throwIfAborted();
}

/** Another one (`error`) is the server's word for an answer that is not done. */
const ENDS: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'tool_calls',
  'content_filter',
  'function_call',
] satisfies Whole['choices'][number]['finish_reason'][]);

/** Puts the pieces of a stream together. */
class ChatAnswer {
  usage: ModelUsage | null = null;
  private readonly text: string[] = [];
  private readonly refusal: string[] = [];
  private readonly calls = new Map<number, ModelToolCall>();
  private finish: string | null = null;

  chunk(chunk: Chunk): void {
    if (chunk.usage) {
      this.usage = chatUsage(chunk.usage, chunk.service_tier);
    }
    const choice = chunk.choices?.[0];
    if (choice === undefined) {
      return;
    }
    this.text.push(textOrNothing(choice.delta?.content));
    this.refusal.push(textOrNothing(choice.delta?.refusal));
    for (const part of choice.delta?.tool_calls ?? []) {
      this.toolCall(part.index ?? 0, part.id, part.function?.name, part.function?.arguments);
    }
    this.finish = choice.finish_reason || this.finish;
  }

  whole(answer: Whole): void {
    this.usage = answer.usage ? chatUsage(answer.usage, answer.service_tier) : null;
    const choice = answer.choices?.[0];
    this.text.push(textOrNothing(choice?.message?.content));
    this.refusal.push(textOrNothing(choice?.message?.refusal));
    for (const [index, call] of (choice?.message?.tool_calls ?? []).entries()) {
      if (call.type === 'function') {
        this.toolCall(index, call.id, call.function.name, call.function.arguments);
      }
    }
    this.finish = choice?.finish_reason ?? null;
  }

  /** Throws ProtocolError for an answer that was broken off: there is none without its end. */
  completion(model: string, request: ModelRequest): ModelCompletion {
    if (this.finish === null || !ENDS.has(this.finish)) throw notDone('finish_reason', this.finish);
    const refusal = this.refusal.join('');
    const calls = [...this.calls.values()];
    const reason =
      refusal !== '' || this.finish === 'content_filter' ? 'refusal' : stopReason(this.finish, calls.length);
    const text = reason === 'refusal' && refusal !== '' ? refusal : this.text.join('');
    const offered = (request.tools ?? []).length > 0;
    return {
      provider: 'openai',
      model,
      text,
      tool_calls: offered ? calls : [],
      stop_reason: reason,
      usage: this.usage,
    };
  }

  private toolCall(index: number, id?: string, name?: string, args?: string): void {
    // Compatible servers leave ids out; results are matched by them.
    const call = this.calls.get(index) ?? { id: id || `call_${index}`, name: '', arguments: '' };
    call.name += textOrNothing(name);
    call.arguments += textOrNothing(args);
    this.calls.set(index, call);
  }
}

function stopReason(finish: string, calls: number): ModelCompletion['stop_reason'] {
  if (finish === 'length') {
    return 'length';
  }
  return calls > 0 ? 'tool_calls' : 'end';
}

function chatUsage(told: OpenAI.CompletionUsage, tier: unknown): ModelUsage {
  return usageOf({
    input: told.prompt_tokens,
    output: told.completion_tokens,
    cached: told.prompt_tokens_details?.cached_tokens,
    tier,
  });
}
