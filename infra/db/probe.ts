import { Client } from 'pg';
import { clientOptions } from './pool';

/** A connection that is silent for so long is given up. */
const GIVEN_UP_MS = 10_000;

/**
 * Says whether the database answers at all, over a connection of its own: a pool whose connections are all at work is
 * busy, not away.
 */
export class DatabaseProbe {
  private client: Client | undefined;
  private looking: Promise<boolean> | undefined;

  constructor(private readonly url: string) {}

  /** False: nothing to connect to, or no answer within `ms`. Callers at the same time share one look. */
  answers(ms: number): Promise<boolean> {
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    return inTime(this.looking, ms);
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async look(): Promise<boolean> {
    const answered = await inTime(this.ask(), GIVEN_UP_MS);
    if (!answered) {
      this.drop();
    }
    return answered;
  }

  /** A kept connection may have died long ago: only a new one that fails shows that the database is away now. */
  private async ask(): Promise<boolean> {
    const kept = this.client;
    if (kept !== undefined && (await succeeds(kept.query('select 1')))) {
      return true;
    }
    if (kept !== undefined) {
      this.drop();
    }
    return succeeds(this.connect().then((client) => client.query('select 1')));
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

  /** A connection that did not answer may never answer: the next check opens another one. */
  private drop(): void {
    const { client } = this;
    this.client = undefined;
    void client?.end().catch(() => undefined);
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

async function inTime(work: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    // Waits one turn of the event loop, so that an answer that was received but not read yet counts.
    timer = setTimeout(() => setImmediate(() => resolve(false)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
