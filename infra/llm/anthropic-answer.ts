import type Anthropic from '@anthropic-ai/sdk';
import type { Json, JsonObject } from '../../core/base/json';
import { argumentsObject } from './anthropic-messages';
import { asText, textOrNothing } from './as-text';
import { notDone, ProtocolError } from './protocol-error';
import { sumOfCounts, usageOf } from './token-count';
import type { ModelCompletion, ModelToolCall, ModelUsage } from './types';

/** A content block under construction; `input` is rebuilt from `partial` when the block ends. */
interface OpenBlock {
  block: JsonObject;
  partial: string[];
}

/** Reasons of a finished answer. With another one (`pause_turn`: the turn goes on) the model is not done. */
const ENDS: ReadonlySet<string> = new Set([
  'end_turn',
  'stop_sequence',
  'tool_use',
  'max_tokens',
  'model_context_window_exceeded',
  'refusal',
] satisfies Anthropic.StopReason[]);

/** Puts an Anthropic answer together, from a stream or from a whole message. */
export class AnthropicAnswer {
  private told: RawUsage | undefined;
  private readonly blocks = new Map<number, OpenBlock>();
  private stop: string | null = null;
  private refusal = '';

  get usage(): ModelUsage | null {
    return anthropicUsage(this.told);
  }

  event(event: Anthropic.RawMessageStreamEvent): void {
    switch (event.type) {
      case 'message_start':
        // Count of output tokens from the beginning, which is no total: the cost of an answer that broke off is not
        // known.
        this.told = laterUsage(undefined, { ...event.message.usage, output_tokens: undefined });
        break;
      case 'content_block_start':
        this.blocks.set(event.index, { block: { ...event.content_block } as unknown as JsonObject, partial: [] });
        break;
      case 'content_block_delta':
        this.delta(event.index, event.delta);
        break;
      case 'message_delta':
        this.stop = event.delta.stop_reason ?? this.stop;
        this.refusal = event.delta.stop_details?.explanation ?? this.refusal;
        this.told = laterUsage(this.told, event.usage);
        break;
      default:
        break;
    }
  }

  whole(message: Anthropic.Message): void {
    this.told = laterUsage(undefined, message.usage);
    this.stop = message.stop_reason ?? null;
    this.refusal = message.stop_details?.explanation ?? '';
    for (const [index, block] of (message.content ?? []).entries()) {
      this.blocks.set(index, { block: { ...block } as unknown as JsonObject, partial: [] });
    }
  }

  /** Throws ProtocolError for an answer that was broken off: there is none without its end. */
  completion(model: string): ModelCompletion {
    if (this.stop === null || !ENDS.has(this.stop)) throw notDone('stop_reason', this.stop);
    const content = [...this.blocks.entries()].sort(([a], [b]) => a - b).map(([, open]) => finished(open));
    const tool_calls = content.flatMap((block) => toolCall(block));
    const stop_reason = stopReason(this.stop, tool_calls.length);
    const said = content.map((block) => (block['type'] === 'text' ? textOrNothing(block['text']) : '')).join('');
    const text = stop_reason === 'refusal' && said === '' ? this.refusal : said;
    const native = { provider: 'anthropic' as const, model, content: content as Json };
    return { provider: 'anthropic', model, text, tool_calls, stop_reason, usage: this.usage, native };
  }

  private delta(index: number, delta: Anthropic.RawContentBlockDelta): void {
    const open = this.blocks.get(index);
    if (open === undefined) {
      throw new ProtocolError('A piece of an answer came before its beginning.');
    }
    if (delta.type === 'text_delta') {
      open.partial.push(delta.text);
    } else if (delta.type === 'input_json_delta') {
      open.partial.push(delta.partial_json);
    } else if (delta.type === 'thinking_delta') {
      open.partial.push(delta.thinking);
    } else if (delta.type === 'signature_delta') {
      open.block['signature'] = delta.signature;
    }
  }
}

function finished(open: OpenBlock): JsonObject {
  const joined = open.partial.join('');
  const { block } = open;
  if (joined === '') {
    return block;
  }
  if (block['type'] === 'text') {
    return { ...block, text: `${asText(block['text'])}${joined}` };
  }
  if (block['type'] === 'thinking') {
    return { ...block, thinking: `${asText(block['thinking'])}${joined}` };
  }
  return block['type'] === 'tool_use' ? { ...block, input: argumentsObject(joined), raw_input: joined } : block;
}

function toolCall(block: JsonObject): ModelToolCall[] {
  if (block['type'] !== 'tool_use') {
    return [];
  }
  const raw = block['raw_input'];
  // A field of our own: it must not be sent back to the provider.
  delete block['raw_input'];
  const args = typeof raw === 'string' ? raw : JSON.stringify(block['input'] ?? {});
  return [{ id: asText(block['id']), name: asText(block['name']), arguments: args }];
}

function stopReason(stop: string, calls: number): ModelCompletion['stop_reason'] {
  if (stop === 'refusal') {
    return 'refusal';
  }
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded') {
    return 'length';
  }
  return calls > 0 ? 'tool_calls' : 'end';
}

type RawUsage = Partial<Anthropic.MessageDeltaUsage & Pick<Anthropic.Usage, 'service_tier'>>;

/** Counts are cumulative: a later event names only what changed. */
function laterUsage(before: RawUsage | undefined, told: RawUsage | null | undefined): RawUsage | undefined {
  if (told === undefined || told === null) return before;
  const named = Object.entries(told).filter(([, count]) => count !== null && count !== undefined);
  return { ...before, ...Object.fromEntries(named) };
}

/** The provider leaves out tokens that were written to or read from the cache; our count includes them. */
function anthropicUsage(told: RawUsage | undefined): ModelUsage | null {
  if (told === undefined) return null;
  const { input_tokens, output_tokens, cache_read_input_tokens: cached = 0, service_tier } = told;
  const { cache_creation_input_tokens = 0 } = told;
  return usageOf({
    input: sumOfCounts([input_tokens, cached, cache_creation_input_tokens]),
    output: output_tokens,
    cached,
    written: cache_creation_input_tokens,
    tier: service_tier,
  });
}
