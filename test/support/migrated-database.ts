import { migrateAs } from './admin';
import { type FreshDatabase, freshDatabase, runSql } from './postgres';
import { sharedOnce } from './run-folder';

/** A database with the schema of today: a copy of one that the run migrates once. */
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

/** What the migrations say of the database itself, which a copy does not take along. */
const RIGHTS = `do $$ begin
  execute format('grant create on database %I to af_migrate', current_database());
  execute format('revoke temporary on database %I from public', current_database());
end $$`;
