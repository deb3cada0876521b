import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import type { WorkspaceRow } from '../db/stores/workspaces.store';
import { SQL_TYPES } from './column-types';
import { quoted, sqlName } from './identifiers';
import type { WorkspaceAccess } from './open-workspace';
import { shapeFor, type WorkspaceColumn } from './table-shape';

export interface WorkspaceTable {
  name: string;
  workspaceId: string;
  sqlName: string;
  /** Schema and table, quoted, ready for a statement. */
  target: string;
  columns: WorkspaceColumn[];
}
interface TableRequest {
  ownerId: string;
  name: string;
  rows: readonly JsonObject[];
  create: boolean;
  upsertKey: readonly string[];
}

/**
 * The table with a shape that holds the rows: created, extended or widened as needed. Saves to one table wait for
 * each other until the end of the transaction.
 * @throws AppError `workspace_table_not_found`, `invalid_table_name`, `workspace_type_conflict`, `workspace_too_many_columns`
 */
export async function openTable(
  door: WorkspaceAccess,
  workspace: WorkspaceRow,
  request: TableRequest,
): Promise<WorkspaceTable> {
  const { ownerId, rows } = request;
  const name = validName(request.name);
  await door.sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${workspace.id}/${name}`]);
  const found = await door.store.table(ownerId, workspace.id, name, door.sql);
  if (found === null && !request.create) {
    throw new AppError(
      'workspace_table_not_found',
      `There is no table "${name}" in this workspace. Create it, or set \`create_if_missing\`.`,
      {
        category: 'not_found',
      },
    );
  }
  const sql_name = found?.sql_name ?? (await createTable(door, workspace, name));
  const target = `${quoted(workspace.schema_name)}.${quoted(sql_name)}`;
  const change = shapeFor((found?.columns ?? []) as WorkspaceColumn[], rows, name);
  await alter(door, { workspace_id: workspace.id, sql_name }, change);
  const upsert_key = request.upsertKey.length > 0 ? request.upsertKey.join(', ') : (found?.upsert_key ?? undefined);
  await door.store.saveTable(
    ownerId,
    { workspace_id: workspace.id, name, sql_name, columns: change.columns, upsert_key },
    door.sql,
  );
  return { name, workspaceId: workspace.id, sqlName: sql_name, target, columns: change.columns };
}

function validName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 120 || /\p{C}/u.test(trimmed)) {
    throw new AppError('invalid_table_name', '`table_name` must be a name of 1 to 120 visible characters.', {
      category: 'validation',
    });
  }
  return trimmed;
}

async function createTable(door: WorkspaceAccess, workspace: WorkspaceRow, name: string): Promise<string> {
  // Creations in one workspace wait for each other: two names may lead to one SQL name.
  await door.sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${workspace.id}/`]);
  const others = await door.sql.query<{ sql_name: string }>(
    'select sql_name from workspace_tables where workspace_id = $1',
    [workspace.id],
  );
  const sql_name = sqlName(name, new Set(others.map((other) => other.sql_name)));
  await door.sql.query('select app_create_workspace_table($1, $2)', [workspace.id, sql_name]);
  return sql_name;
}

async function alter(
  door: WorkspaceAccess,
  table: { workspace_id: string; sql_name: string },
  change: { added: WorkspaceColumn[]; widened: WorkspaceColumn[] },
): Promise<void> {
  const described = (added: boolean) => (column: WorkspaceColumn) => ({
    name: column.sql_name,
    type: SQL_TYPES[column.type],
    added,
  });
  const columns = [...change.added.map(described(true)), ...change.widened.map(described(false))];
  if (columns.length > 0) {
    await door.sql.query('select app_shape_workspace_table($1, $2, $3)', [
      table.workspace_id,
      table.sql_name,
      JSON.stringify(columns),
    ]);
  }
}
