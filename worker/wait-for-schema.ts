import { SYSTEM, type Database } from '../infra/db/database';
import { isDatabaseOutage } from '../infra/db/outage';

/** The API brings the schema up to date at its start; the worker begins when nothing is pending. */
export async function waitForSchema(database: Database): Promise<void> {
  for (;;) {
    try {
      if ((await hasMigrations(database)) && !(await database.source.showMigrations())) return;
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Asking for pending migrations makes their table where there is none, at the same time as the API makes it. */
async function hasMigrations(database: Database): Promise<boolean> {
  const [row] = await database.query<{ there: boolean }>(
    SYSTEM,
    `select to_regclass('migrations') is not null as there`,
  );
  return row?.there === true;
}
