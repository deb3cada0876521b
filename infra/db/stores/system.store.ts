import { SYSTEM, type Database } from '../database';

export interface DatabaseFacts {
  server_version: string;
  /** Name of the youngest migration that was applied. */
  migration: string;
}

/** Facts of the database about itself. */
export class SystemStore {
  constructor(private readonly database: Database) {}

  async facts(): Promise<DatabaseFacts> {
    const [[server], migrations] = await Promise.all([
      this.database.query<{ version: string }>(SYSTEM, `select current_setting('server_version') as version`),
      this.database.hot<{ name: string }>('select af_migrations() as name', []),
    ]);
    // Names end in the number that orders them.
    const youngest = migrations.map(({ name }) => name).sort((a, b) => orderOf(a) - orderOf(b));
    return { server_version: server?.version ?? '', migration: youngest.at(-1) ?? '' };
  }
}

function orderOf(name: string): number {
  return Number(/(\d+)$/.exec(name)?.[1] ?? 0);
}
