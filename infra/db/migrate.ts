import { Client } from 'pg';
import { applySchema, dropSchema } from './apply-schema';
import type { Database } from './database';
import { adoptBaseline } from './adopt-baseline';
import { refuseNewerSchema } from './known-schema';
import { tagDatabaseErrors } from './outage';
import { clientOptions } from './pool';

/** Any constant: the process that holds the lock migrates. The server frees it when the holder dies. */
const MIGRATION_LOCK = 4_017_734_291;

/**
 * Brings the schema up to date and returns the names of what was applied: migrations for tables and data, then the repeatable objects
 * (infra/db/schema). Safe to call from several processes at once.
 * @throws AppError `schema_newer`, `schema_too_old`, before anything is changed
 */
export async function migrate(database: Database): Promise<string[]> {
  return withMigrationLock(database, async (client) => {
    refuseNewerSchema(await adoptBaseline(client));
    const applied = await database.source.runMigrations({ transaction: 'each' });
    await applySchema(client);
    return applied.map((migration) => migration.name);
  });
}

/** Takes the latest migration back, and all that is repeatable with it. */
export async function migrateDown(database: Database): Promise<void> {
  await withMigrationLock(database, async (client) => {
    await dropSchema(client);
    await database.source.undoLastMigration({ transaction: 'each' });
  });
}

async function withMigrationLock<T>(database: Database, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(clientOptions(database.config.url));
  client.on('error', () => undefined);
  await tagDatabaseErrors(client.connect());
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await tagDatabaseErrors(work(client));
  } finally {
    await client.end().catch(() => undefined);
  }
}
