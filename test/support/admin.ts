import { Pool } from 'pg';
import { cleanParams } from '../../infra/db/clean-params';
import type { Sql } from '../../infra/db/database';
import { migrate } from '../../infra/db/migrate';
import { Database } from '../../infra/db/database';
import { poolOptions } from '../../infra/db/pool';

/** SQL as a superuser, whom no policy limits: tests prepare and check data with it. The product has no such connection. */
export interface Admin extends Sql {
  /** Holds the locks that `fn` takes until it has ended; other statements of `fn` use connections of their own. */
  tx<T>(fn: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** `url`: of the owner. */
export function openAdmin(url: string): Admin {
  const pool = new Pool(poolOptions({ url, poolSize: 2 }));
  pool.on('error', () => undefined);
  const sqlOf = (on: Pick<Pool, 'query'>): Sql => ({
    query: async <Row>(text: string, params: unknown[] = []) =>
      (await on.query(text, cleanParams(params))).rows as Row[],
  });
  return {
    ...sqlOf(pool),
    tx: async (fn) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await fn(sqlOf(client));
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

/** Migrates a database as its owner. */
export async function migrateAs(ownerUrl: string): Promise<void> {
  const database = await Database.connect({ url: ownerUrl, poolSize: 2 });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}
