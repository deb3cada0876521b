import type OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import { chatParams } from './openai-messages';
import { isEventStream, jsonBody } from './json-body';
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
    answer.whole(await jsonBody<Whole>(response));
    live.usage = answer.usage;
  }
  return answer.completion(model, request);
}

/** With the client, whose logger is off: the SDK's own would print to the console. */
async function readStream(client: OpenAI, response: Response, answer: ChatAnswer, live: LiveCall): Promise<void> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  live.signal.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const chunk of Stream.fromSSEResponse<Chunk>(response, controller, client)) {
      answer.chunk(chunk);
      live.usage = answer.usage ?? live.usage;
    }
  } finally {
    live.signal.removeEventListener('abort', onAbort);
  }
  live.signal.throwIfAborted();
}

/** Puts the pieces of a stream together. */
class ChatAnswer {
  usage: ModelUsage | null = null;
  private readonly text: string[] = [];
  private readonly refusal: string[] = [];
  private readonly calls = new Map<number, ModelToolCall>();
  private finish: string | null = null;

  chunk(chunk: Chunk): void {
    if (chunk.usage) {
      this.usage = chatUsage(chunk.usage);
    }
    const choice = chunk.choices?.[0];
    if (choice === undefined) {
      return;
    }
    this.text.push(choice.delta?.content ?? '');
    this.refusal.push(choice.delta?.refusal ?? '');
    for (const part of choice.delta?.tool_calls ?? []) {
      this.toolCall(part.index ?? 0, part.id, part.function?.name, part.function?.arguments);
    }
    this.finish = choice.finish_reason ?? this.finish;
  }

  whole(answer: Whole): void {
    this.usage = answer.usage ? chatUsage(answer.usage) : null;
    const choice = answer.choices?.[0];
    this.text.push(choice?.message?.content ?? '');
    this.refusal.push(choice?.message?.refusal ?? '');
    for (const [index, call] of (choice?.message?.tool_calls ?? []).entries()) {
      if (call.type === 'function') {
        this.toolCall(index, call.id, call.function.name, call.function.arguments);
      }
    }
    this.finish = choice?.finish_reason ?? null;
  }

  /** Throws SyntaxError for a stream that broke off: there is no answer without its end. */
  completion(model: string, request: ModelRequest): ModelCompletion {
    if (this.finish === null) {
      throw new SyntaxError('The answer ended before the model was done.');
    }
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
    call.name += name ?? '';
    call.arguments += args ?? '';
    this.calls.set(index, call);
  }
}

function stopReason(finish: string, calls: number): ModelCompletion['stop_reason'] {
  if (finish === 'length') {
    return 'length';
  }
  return calls > 0 ? 'tool_calls' : 'end';
}

function chatUsage(told: OpenAI.CompletionUsage): ModelUsage {
  return usageOf({
    input: told.prompt_tokens,
    output: told.completion_tokens,
    cached: told.prompt_tokens_details?.cached_tokens,
  });
}
