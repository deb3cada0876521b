import { AppError } from '../../core/errors/app-error';
import type { Database } from './database';
import { unknownMigrations } from './known-schema';
import { schemaVersion } from './schema-source';

/** Says whether a later version has migrated the database since this process began. */
export class SchemaWatch {
  private looking: Promise<AppError | undefined> | undefined;

  constructor(private readonly database: Pick<Database, 'hot'>) {}

  /** `schema_newer`; nothing where the schema is not newer, or the database does not answer. Simultaneous callers share one query. */
  look(): Promise<AppError | undefined> {
    this.looking ??= this.ask().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async ask(): Promise<AppError | undefined> {
    const rows = await this.database
      .hot<{ name: string; version: number | null }>(
        'select m.name, af_schema_version() as version from af_migrations() as m (name)',
        [],
      )
      .catch(() => []);
    const unknown = unknownMigrations(rows.map(({ name }) => name));
    const version = rows[0]?.version ?? 0;
    if (version > schemaVersion()) unknown.push(`functions of version ${version}`);
    return unknown.length === 0 ? undefined : newer(unknown);
  }
}

function newer(unknown: string[]): AppError {
  return new AppError(
    'schema_newer',
    `A later version has changed the database (${unknown.join(', ')}), and this process does not know it. It has to be started again with that version.`,
    { category: 'unavailable', retryable: true, details: { unknown } },
  );
}
