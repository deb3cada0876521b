import { SYSTEM, type Database, type Sql } from '../database';

export interface ImportDirRow {
  path: string;
  granted_by: string;
  granted_at: string;
}

/** Directories that administrators let file connectors read, beside those of AF_IMPORT_DIRS. */
export class ImportDirsStore {
  constructor(private readonly database: Database) {}

  /** Read before each call that reads files, so that a grant and its end hold at once. */
  async paths(): Promise<string[]> {
    const rows = await this.database.hot<{ path: string }>('select path from af_import_dirs() as path', []);
    return rows.map(({ path }) => path);
  }

  async list(sql: Sql = this.database.as(SYSTEM)): Promise<ImportDirRow[]> {
    return sql.query<ImportDirRow>(
      `select d.path, u.handle as granted_by, d.granted_at from import_dirs d join users u on u.id = d.granted_by
        order by d.path`,
    );
  }

  /** False: it is granted already. */
  async grant(path: string, userId: string, sql: Sql): Promise<boolean> {
    const made = await sql.query(
      'insert into import_dirs (path, granted_by) values ($1, $2) on conflict do nothing returning 1',
      [path, userId],
    );
    return made.length > 0;
  }

  /** False: it was not granted. */
  async revoke(path: string, sql: Sql): Promise<boolean> {
    return (await sql.query('delete from import_dirs where path = $1 returning 1', [path])).length > 0;
  }
}
