import { eventMismatch } from './conformance';

export interface SseEvent {
  id: number;
  /** The id as it came. */
  key: string;
  type: string;
  data: Record<string, unknown>;
}

export interface ReadOptions {
  headers?: Record<string, string>;
  enough?: (events: SseEvent[]) => boolean;
  /** Ids that came without an event. */
  onId?: (id: string) => void;
}

/** Reads a stream until it ends, or until `enough` says so. */
export async function readEvents(
  from: string | Response,
  options: ReadOptions = {},
): Promise<{ status: number; ended: boolean; events: SseEvent[] }> {
  const response =
    typeof from === 'string'
      ? await fetch(from, { headers: { accept: 'text/event-stream', ...options.headers } })
      : from;
  const events: SseEvent[] = [];
  if (response.status !== 200 || response.body === null) {
    return { status: response.status, ended: true, events };
  }
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end), options.onId);
      text = text.slice(end + 2);
      if (event !== undefined) {
        events.push(event);
        if (options.enough?.(events) === true) {
          // Leaving the loop closes the connection.
          return { status: 200, ended: false, events };
        }
      }
    }
  }
  return { status: 200, ended: true, events };
}

function parse(block: string, onId: ReadOptions['onId']): SseEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  const key = fields.get('id') ?? '';
  if (data === undefined) {
    if (key !== '') onId?.(key);
    return undefined;
  }
  return { id: Number(key), key, type: fields.get('event') ?? '', data: JSON.parse(data) as SseEvent['data'] };
}

/** Describes how events break the OpenAPI document; empty = they do not. */
export function eventMismatches(events: readonly SseEvent[]): string[] {
  return events.flatMap((event) => {
    const wrong = eventMismatch(event.data);
    return wrong === '' ? [] : [`${event.type}: ${wrong} ${JSON.stringify(event.data)}`];
  });
}
