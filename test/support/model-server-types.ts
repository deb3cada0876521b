/** A tool call of the scripted model. A string as `arguments` is sent as it is, malformed or not. */
interface ScriptedCall {
  id?: string;
  name: string;
  arguments: unknown;
}

/** One scripted answer, in either protocol. */
export interface Reply {
  text?: string;
  /** Value that is sent as JSON text. */
  json?: unknown;
  tool_calls?: ScriptedCall[];
  /** Reasoning with a signature (not in chat completions). */
  thinking?: string;
  refusal?: string;
  stop?: 'end' | 'length';
  /** Default: 100 in, 20 out. null = the server tells nothing. What is no count goes out as it is. */
  usage?: { input: unknown; output: unknown; cached?: unknown; written?: unknown; tier?: unknown } | null;
  /** Replacement of the protocol's word for the end. */
  ends_as?: unknown;
  /** A whole body as it goes out, whatever it is. */
  body?: string;
  /** Characters per piece of a stream (default 2,000) and the pause between pieces. */
  piece?: number;
  piece_delay_ms?: number;
  /** Pause before the first byte. */
  delay_ms?: number;
  /** An error answer. */
  status?: number;
  error?: { type: string; message: string; code?: string };
  headers?: Record<string, string>;
  /** Sends one JSON body although a stream was asked for. */
  whole?: boolean;
  /** Accepts the request and never answers; `stall` sends the first piece and then nothing. */
  silent?: boolean;
  stall?: boolean;
  /** Faults at the wire: `cut` closes the connection in mid-stream, `sse` sends a line that is no JSON, `html` a page. */
  broken?: 'cut' | 'sse' | 'html';
  /** An error event after the first piece. */
  error_in_stream?: { type: string; message: string };
}

export interface SeenRequest {
  protocol: 'openai' | 'openai-responses' | 'anthropic';
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Milliseconds of a monotonic clock. */
  at: number;
  /** The client closed the connection before the answer was complete. */
  aborted: boolean;
}

export interface ReplyContext {
  request: SeenRequest;
  reply: Reply;
  model: string;
}
