import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** The place to stop at: an insert or update of a table, of rows that match an SQL condition over `new`. */
export interface StopPlace {
  table: string;
  /** Condition in SQL; text of the test, so it is trusted. */
  when: string;
  event?: 'insert' | 'update' | 'insert or update';
}

/** A statement of the product that waits inside the database until the test releases it. */
export interface DatabaseStop {
  /** Resolves when so many statements wait there; gives the process ids of their connections. */
  reached(count?: number): Promise<number[]>;
  /** Kills the connections: the waiting statements are rolled back. */
  breakOff(): Promise<void>;
  /** Lets the waiting statements continue; none stops there any more. */
  release(): Promise<void>;
}

let nextNumber = 77_001;

/** Stops statements inside their transaction without timing: the trigger takes a lock that the test holds. */
export async function stopAt(url: string, { table, when, event = 'insert' }: StopPlace): Promise<DatabaseStop> {
  const number = nextNumber++;
  const name = `test_stop_${number}`;
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`select pg_advisory_lock(${number})`);
  await client.query(`create function ${name}() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(${number}); return new; end $$`);
  await client.query(
    `create trigger ${name} before ${event} on ${table} for each row when (${when}) execute function ${name}()`,
  );
  const waiting = async (): Promise<number[]> => {
    const found = await client.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and objid = ${number} and not granted`,
    );
    return found.rows.map((row) => row.pid);
  };
  return {
    reached: async (count = 1) => {
      for (;;) {
        const pids = await waiting();
        if (pids.length >= count) return pids;
        await sleep(20);
      }
    },
    breakOff: async () => {
      for (const pid of await waiting()) await client.query('select pg_terminate_backend($1)', [pid]);
    },
    release: async () => {
      await client.query(`select pg_advisory_unlock(${number})`);
      await client.query(`drop trigger ${name} on ${table}`);
      await client.query(`drop function ${name}()`);
      await client.end();
    },
  };
}
