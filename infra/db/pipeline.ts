import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';

/** A statement of constant text with its parameters. */
export interface Statement {
  text: string;
  params?: unknown[];
}

interface Sent {
  text: string;
  values: unknown[];
  name?: string | undefined;
}

/**
 * A transaction in one round trip: all is on its way before the first is answered, in one write to the socket. After an error
 * COMMIT takes everything back.
 */
export async function pipelined(client: PoolClient, begin: string, statements: readonly Sent[]): Promise<unknown[][]> {
  const sent = inOneWrite(client, () => [
    client.query(begin),
    ...statements.map((statement) => client.query<object>(statement)),
    client.query('COMMIT'),
  ]);
  const steps = await Promise.allSettled(sent);
  // The first error has the reason: later statements were refused because of it.
  const failed = steps.find((step) => step.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return steps.slice(1, -1).map((step) => (step as PromiseFulfilledResult<{ rows: unknown[] }>).value.rows);
}

/** The driver writes each statement by itself, and the server wakes up for each. */
function inOneWrite<T>(client: PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
