import type { Sql } from '../database';
import { checkSeen, type SeenVersion, type VersionedRow } from '../row-version';

/**
 * Locks the row that `where` finds and compares it with what the caller has seen; false: there is none. `table` and `where`
 * are constants. Throws `precondition_required`, `precondition_failed`.
 */
export async function lockSeen(
  sql: Sql,
  row: { table: string; where: string; params: unknown[] },
  seen: SeenVersion,
): Promise<boolean> {
  const [found] = await sql.query<VersionedRow>(
    `select id, row_version from ${row.table} where ${row.where} for update`,
    row.params,
  );
  if (found === undefined) {
    return false;
  }
  checkSeen(found, seen);
  return true;
}
