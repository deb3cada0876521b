import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { MIGRATIONS } from '../../migrations/all';
import { schemaVersion } from './schema-source';

const KNOWN: ReadonlySet<string> = new Set(MIGRATIONS.map(({ name }) => name));

/** Migrations that a later version has brought. */
export function unknownMigrations(applied: readonly string[]): string[] {
  return applied.filter((name) => !KNOWN.has(name));
}

/**
 * A later version may have changed tables that this one reads and writes, so this one does not start on its schema.
 * @throws AppError `schema_newer`
 */
export function refuseNewerSchema(applied: readonly string[]): void {
  const unknown = unknownMigrations(applied);
  if (unknown.length > 0) throw schemaNewer(`this one does not know the migration ${unknown.join(', ')}`, { unknown });
}

/**
 * The functions, triggers, policies and grants are those of this build.
 * @throws AppError `schema_newer`
 */
export function hasOwnVersion(found: number | null): boolean {
  const own = schemaVersion();
  if (found !== null && found > own)
    throw schemaNewer(`it has version ${found} of the functions, and this build brings ${own}`, { found, own });
  return found === own;
}

function schemaNewer(what: string, details: JsonObject): AppError {
  return new AppError(
    'schema_newer',
    `The database has the schema of a later version (schema_newer): ${what}. Start the version that brought it or a later one; an earlier version needs a backup of the database from before.`,
    { category: 'conflict', details },
  );
}

/** Every migration that this version knows has been applied. */
export function hasKnownSchema(applied: readonly string[]): boolean {
  const names = new Set(applied);
  return [...KNOWN].every((name) => names.has(name));
}
