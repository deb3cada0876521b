import type { Database } from '../infra/db/database';
import { isDatabaseOutage } from '../infra/db/outage';

/** The API brings the schema up to date at its start; the worker begins when nothing is pending. */
export async function waitForSchema(database: Database): Promise<void> {
  for (;;) {
    try {
      if (!(await database.source.showMigrations())) return;
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
