import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

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
    // How long a browser waits before it comes back.
    this.response.write('retry: 1000\n\n');
  }

  onClose(listener: () => void): void {
    if (this.response.destroyed) {
      listener();
    }
    this.response.once('close', listener);
  }

  /** JSON has no line breaks of its own, so one `data:` line is enough. Resolves when the client has room again. */
  async event(id: number, type: string, data: unknown, stop: AbortSignal): Promise<void> {
    if (this.open && !this.response.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)) {
      await once(this.response, 'drain', { signal: stop }).catch(() => undefined);
    }
  }

  /** A comment: keeps proxies from closing a quiet stream. Not for a client that has not read the last one. */
  heartbeat(): void {
    if (this.open && !this.response.writableNeedDrain) {
      this.response.write(': alive\n\n');
    }
  }

  end(): void {
    if (this.open) {
      this.response.end();
    }
  }

  private get open(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }
}
