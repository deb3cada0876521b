import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from './model-server-types';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The text of a reply, cut into the pieces of a stream. */
export function pieces(text: string, reply: Reply): string[] {
  const size = reply.piece ?? 2000;
  const out: string[] = [];
  for (let at = 0; at < text.length; at += size) {
    out.push(text.slice(at, at + size));
  }
  return out;
}

export function replyText(reply: Reply): string {
  return reply.json === undefined ? (reply.text ?? '') : JSON.stringify(reply.json);
}

/** Writes server-sent events and makes the faults that a reply asks for. */
export async function sendEvents(
  response: ServerResponse,
  reply: Reply,
  events: { name?: string; data: unknown }[],
  errorEvent: (error: { type: string; message: string }) => { name?: string; data: unknown },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...reply.headers });
  for (const [index, event] of events.entries()) {
    await write(response, event);
    if (reply.piece_delay_ms !== undefined) {
      await sleep(reply.piece_delay_ms);
    }
    // Stalls after the second event: the stream has begun in both protocols.
    if (index === 1 && reply.stall === true) {
      return;
    }
    if (index === 1 && reply.broken === 'sse') {
      response.write('event: content_block_delta\ndata: {"choices": [{"delta"\n\n');
    }
    if (index === 1 && reply.broken === 'cut') {
      response.destroy();
      return;
    }
    if (index === 1 && reply.error_in_stream !== undefined) {
      await write(response, errorEvent(reply.error_in_stream));
      response.end();
      return;
    }
  }
  response.end();
}

async function write(response: ServerResponse, event: { name?: string; data: unknown }): Promise<void> {
  const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
  const text = `${event.name === undefined ? '' : `event: ${event.name}\n`}data: ${data}\n\n`;
  if (!response.write(text) && !response.destroyed) {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      response.on('drain', done);
      response.on('close', done);
    });
  }
}
