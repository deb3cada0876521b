import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export interface SseEvent {
  /** Absent: the client keeps the id that it has. */
  id?: number | string;
  type: string;
  data: object;
}

/** Characters of one write: a batch of usual events is one, and one of huge events is not a huge string. */
const MOST_TEXT = 65_536;

/** Server-sent events over one response, no faster than the client reads. */
export class SseWriter {
  constructor(private readonly response: ServerResponse) {}

  begin(headers: OutgoingHttpHeaders): void {
    this.response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    // Milliseconds before a browser connects again.
    this.response.write('retry: 1000\n\n');
  }

  onClose(listener: () => void): void {
    if (this.response.destroyed) {
      listener();
    }
    this.response.once('close', listener);
  }

  /** Writes the events together. Resolves when the client has room again, or at `stop`: then the rest is left out. */
  async events(events: Iterable<SseEvent>, stop: AbortSignal): Promise<void> {
    let text = '';
    for (const event of events) {
      if (stop.aborted) {
        return;
      }
      text += textOf(event);
      if (text.length >= MOST_TEXT) {
        await this.write(text, stop);
        text = '';
      }
    }
    await this.write(text, stop);
  }

  /**
   * A comment: keeps proxies from closing a quiet stream. Not for a client that has not read the last one. An id without
   * an event is kept by the client and seen by nobody.
   */
  heartbeat(id?: string): void {
    if (this.open && !this.response.writableNeedDrain) {
      this.response.write(id === undefined ? ': alive\n\n' : `: alive\nid: ${id}\n\n`);
    }
  }

  end(): void {
    if (this.open) {
      this.response.end();
    }
  }

  private async write(text: string, stop: AbortSignal): Promise<void> {
    if (text !== '' && this.open && !stop.aborted && !this.response.write(text)) {
      await once(this.response, 'drain', { signal: stop }).catch(() => undefined);
    }
  }

  private get open(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }
}

/** JSON has no line breaks of its own, so one `data:` line is enough. */
function textOf({ id, type, data }: SseEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
