import { stopPostgres } from '../../infra/embedded/postgres';
import { migrateAs } from './admin';
import { type FreshDatabase, freshDatabase, runSql, startIn } from './postgres';
import { newFolder, sharedOnce } from './run-folder';

/** A database with today's schema: a copy of one that the run migrates once. */
export async function migratedDatabase(): Promise<FreshDatabase> {
  const template = await sharedOnce('migrated-database', migrateOnce);
  const copy = await freshDatabase(template);
  await runSql(copy.url, RIGHTS);
  return copy;
}

async function migrateOnce(): Promise<string> {
  const { url } = await freshDatabase();
  await migrateAs(url);
  return new URL(url).pathname.slice(1);
}

/** Folder of a stopped cluster whose database has today's schema; the run makes it once. For `startPostgres`. */
export function migratedCluster(): Promise<string> {
  return sharedOnce('migrated-cluster', async () => {
    const folder = newFolder('cluster');
    const server = await startIn(folder);
    await migrateAs(server.url);
    await stopPostgres(server.pid);
    return folder;
  });
}

/** Settings of the database itself that the migrations make and a copy does not take along. */
const RIGHTS = `do $$ begin
  execute format('grant create on database %I to af_migrate', current_database());
  execute format('revoke temporary on database %I from public', current_database());
end $$`;
