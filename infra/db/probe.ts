import { Client } from 'pg';
import { clientOptions } from './pool';

/**
 * Says whether the database answers at all, over a connection of its own: a pool whose connections are all at work is
 * busy, not away.
 */
export class DatabaseProbe {
  private client: Client | undefined;
  private looking: Promise<boolean> | undefined;

  constructor(private readonly url: string) {}

  /** False: no answer within `ms`. Callers at the same time share one look. */
  answers(ms: number): Promise<boolean> {
    this.looking ??= this.look(ms).finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async look(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      // One more turn of the event loop: an answer that lies there unread because we were busy counts.
      timer = setTimeout(() => setImmediate(() => resolve(false)), ms);
    });
    const answered = await Promise.race([this.ask(), late]).finally(() => clearTimeout(timer));
    if (!answered) {
      this.drop();
    }
    return answered;
  }

  private async ask(): Promise<boolean> {
    try {
      const client = this.client ?? (await this.connect());
      await client.query('select 1');
      return true;
    } catch {
      return false;
    }
  }

  private async connect(): Promise<Client> {
    const client = new Client({ ...clientOptions(this.url), application_name: 'agent-factory-probe' });
    client.on('error', () => {
      if (this.client === client) {
        this.client = undefined;
      }
    });
    await client.connect();
    this.client = client;
    return client;
  }

  /** A connection that did not answer may never do: the next look opens another one. */
  private drop(): void {
    const { client } = this;
    this.client = undefined;
    void client?.end().catch(() => undefined);
  }
}
