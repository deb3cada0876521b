import type { Json } from '../../core/base/json';
import type { JsonSchema } from '../../core/schema/json-schema';

export type ProviderName = 'openai' | 'anthropic';

/** One model of the ordered list: `provider/model`. */
export interface ModelRef {
  provider: ProviderName;
  model: string;
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it; it may be malformed. */
  arguments: string;
}

/** The assistant message exactly as its provider gave it (it may hold signed reasoning); only that model gets it back. */
export interface NativeMessage {
  provider: ProviderName;
  model: string;
  content: Json;
}

export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text?: string; tool_calls?: ModelToolCall[]; native?: NativeMessage }
  | { role: 'tool'; tool_call_id: string; text: string; is_error?: boolean };

export interface ModelTool {
  /** Letters, digits, `_` and `-`, at most 64. */
  name: string;
  description: string;
  parameters: JsonSchema;
}

/** A schema that the provider shall enforce. `strict`: every object in it is closed. */
interface JsonContract {
  name: string;
  schema: JsonSchema;
  strict: boolean;
}

export interface ModelRequest {
  messages: ModelMessage[];
  system: string;
  tools?: ModelTool[];
  /** `none`: the tools stay known (earlier calls name them) and none may be called. */
  tool_choice?: 'auto' | 'none';
  json_schema?: JsonContract;
  /** Tokens of the answer; absent = the provider's own limit. */
  max_tokens?: number;
  /** Sent only when given: current models refuse it. */
  temperature?: number;
  /** `provider/model` to try first; the configured list follows. */
  prefer?: string;
  /** Milliseconds for the whole request, fallbacks included. */
  deadline_ms: number;
  /** Aborts on cancel, shutdown and the step's own timeout. */
  signal: AbortSignal;
  /** Called for each piece that arrives (heartbeats). */
  onProgress?: () => void;
  /** Awaited before each request is sent: the ledger. Its result is awaited once the attempt has ended, in any way. */
  onSend?: (model: ModelRef) => Promise<(attempt: ModelAttempt) => Promise<void>>;
}

/** Tokens as billed; null: not known. `cached_input_tokens` is the part of `input_tokens` read from the provider's cache. */
export interface ModelUsage {
  input_tokens: number | null;
  output_tokens: number | null;
  cached_input_tokens: number | null;
  /** Part of it has no list price: tokens that were written to a cache, or another tier of service. */
  unlisted?: true;
}

/** One request to one provider. `usage` is null when the provider told nothing. */
export interface ModelAttempt {
  provider: ProviderName;
  model: string;
  usage: ModelUsage | null;
  /** `ok`, `truncated`, `refused`, or the code of the error. */
  outcome: string;
  latency_ms: number;
}

export interface ModelCompletion {
  provider: ProviderName;
  model: string;
  text: string;
  tool_calls: ModelToolCall[];
  stop_reason: 'end' | 'tool_calls' | 'length' | 'refusal';
  usage: ModelUsage | null;
  native?: NativeMessage;
}

/** Throws AppError (codes in errors.ts); when the caller aborts, the reason of its signal. */
export interface ModelClient {
  complete(request: ModelRequest): Promise<ModelCompletion>;
}

/** Facts that a provider reports while a call runs; read also when it fails. */
export interface LiveCall {
  signal: AbortSignal;
  /** A byte has arrived. */
  beat(): void;
  usage: ModelUsage | null;
}

/** One provider behind its SDK. Throws whatever the SDK throws; `provider-errors.ts` knows what it means. */
export interface ModelProvider {
  readonly name: ProviderName;
  call(model: string, request: ModelRequest, live: LiveCall): Promise<ModelCompletion>;
}
