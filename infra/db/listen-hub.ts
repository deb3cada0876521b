import { Client } from 'pg';
import { clientOptions } from './pool';

interface Listener {
  channel: string;
  onNotify: (payload: string) => void;
  onReconnect: () => void;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/** LISTEN over one dedicated connection that is opened with the first listener and comes back after an outage. */
export class ListenHub {
  private readonly listeners = new Set<Listener>();
  private client: Client | undefined;
  private running: Promise<void> | undefined;
  private closed = false;
  private wake: () => void = () => undefined;

  constructor(private readonly url: string) {}

  listen(channel: string, onNotify: (payload: string) => void, onReconnect: () => void): () => void {
    const listener = { channel, onNotify, onReconnect };
    this.listeners.add(listener);
    this.running ??= this.run();
    // A subscriber of an open connection reads once after LISTEN is in force; `subscribe` reports that.
    if (this.client !== undefined) {
      void this.subscribe(this.client, [listener]);
    }
    return () => this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    await this.client?.end().catch(() => undefined);
    await this.running;
  }

  private async run(): Promise<void> {
    let delay = FIRST_RETRY_MS;
    while (!this.closed) {
      const client = new Client({ ...clientOptions(this.url), application_name: 'agent-factory-listen' });
      const ended = new Promise<void>((resolve) => {
        client.once('end', resolve);
        client.on('error', () => resolve());
      });
      client.on('notification', (message) => this.deliver(message.channel, message.payload ?? ''));
      try {
        await client.connect();
        // Registers the client, so that `close` ends it; an earlier close is seen below.
        this.client = client;
        await this.subscribe(client, [...this.listeners]);
        delay = FIRST_RETRY_MS;
        if (!this.closed) {
          await ended;
        }
      } catch {
        // The retry below is the answer; stores report the outage itself.
      }
      this.client = undefined;
      await client.end().catch(() => undefined);
      await this.pause(delay);
      delay = Math.min(delay * 2, LAST_RETRY_MS);
    }
  }

  private async subscribe(client: Client, listeners: Listener[]): Promise<void> {
    try {
      for (const channel of new Set(listeners.map((each) => each.channel))) {
        await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      }
    } catch {
      return;
    }
    for (const listener of listeners) {
      if (this.listeners.has(listener)) {
        listener.onReconnect();
      }
    }
  }

  private deliver(channel: string, payload: string): void {
    for (const listener of this.listeners) {
      if (listener.channel === channel) {
        listener.onNotify(payload);
      }
    }
  }

  private pause(ms: number): Promise<void> {
    if (this.closed) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
