import { Client } from 'pg';
import type { Database } from './database';
import { refuseNewerSchema } from './known-schema';
import { watched } from './outage';
import { clientOptions } from './pool';

/** Any constant: whoever holds it migrates. Freed by the server when the holder dies. */
const MIGRATION_LOCK = 4_017_734_291;

/**
 * Brings the schema up to date and returns the names of what was applied. Safe to call from several processes at once.
 * @throws AppError `schema_newer`, before anything is changed
 */
export async function migrate(database: Database): Promise<string[]> {
  return exclusively(database, async (client) => {
    refuseNewerSchema(await appliedIn(client));
    const applied = await database.source.runMigrations({ transaction: 'each' });
    return applied.map((migration) => migration.name);
  });
}

/** Takes the latest migration back. */
export async function migrateDown(database: Database): Promise<void> {
  await exclusively(database, () => database.source.undoLastMigration({ transaction: 'each' }));
}

async function exclusively<T>(database: Database, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(clientOptions(database.config.url));
  client.on('error', () => undefined);
  await watched(client.connect());
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await watched(work(client));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Nothing in a database that no version has met. */
async function appliedIn(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('public.migrations') is not null as there`,
  );
  if (tables[0]?.there !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from public.migrations order by id');
  return rows.map(({ name }) => name);
}
