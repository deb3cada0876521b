import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import type { Sql } from '../db/database';
import { SQL_TYPES } from './column-types';
import { quoted, sqlName } from './identifiers';
import { shapeFor, type WorkspaceColumn } from './table-shape';
import type { Workspace } from './workspaces.store';

export interface WorkspaceTable {
  id: string;
  name: string;
  /** Schema and table, quoted, ready for a statement. */
  target: string;
  columns: WorkspaceColumn[];
}
interface TableRow {
  id: string;
  sql_name: string;
  columns: WorkspaceColumn[];
}

/**
 * The table with a shape that holds `rows`: created, extended or widened as needed. Saves to one table wait for
 * each other until the end of the transaction.
 * @throws AppError `workspace_table_not_found`, `invalid_table_name`, `workspace_type_conflict`, `workspace_too_many_columns`
 */
export async function openTable(
  sql: Sql,
  workspace: Workspace,
  request: { ownerId: string; name: string; rows: readonly JsonObject[]; create: boolean },
): Promise<WorkspaceTable> {
  const name = validName(request.name);
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${workspace.id}/${name}`]);
  const [found] = await sql.query<TableRow>(
    'select id, sql_name, columns from workspace_tables where workspace_id = $1 and owner_id = $2 and name = $3',
    [workspace.id, request.ownerId, name],
  );
  if (found === undefined && !request.create) {
    throw new AppError('workspace_table_not_found', `There is no table "${name}" in this workspace. Create it, or set \`create_if_missing\`.`, {
      category: 'not_found',
    });
  }
  const table = found ?? (await createTable(sql, workspace, { ownerId: request.ownerId, name }));
  const target = `${quoted(workspace.schema_name)}.${quoted(table.sql_name)}`;
  const columns = await changeShape(sql, { id: table.id, target, name, existing: table.columns, rows: request.rows });
  return { id: table.id, name, target, columns };
}

function validName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 120 || /\p{C}/u.test(trimmed)) {
    throw new AppError('invalid_table_name', '`table_name` must be a name of 1 to 120 visible characters.', { category: 'validation' });
  }
  return trimmed;
}

async function createTable(sql: Sql, workspace: Workspace, names: { ownerId: string; name: string }): Promise<TableRow> {
  const others = await sql.query<{ sql_name: string }>('select sql_name from workspace_tables where workspace_id = $1', [workspace.id]);
  const row: TableRow = { id: randomUUID(), sql_name: sqlName(names.name, new Set(others.map((other) => other.sql_name))), columns: [] };
  await sql.query(
    `create table ${quoted(workspace.schema_name)}.${quoted(row.sql_name)} (
       _id bigint generated always as identity primary key,
       _run_id uuid,
       _step text,
       _saved_at timestamptz not null default clock_timestamp())`,
  );
  await sql.query('insert into workspace_tables (id, workspace_id, owner_id, name, sql_name, columns) values ($1, $2, $3, $4, $5, $6)', [
    row.id,
    workspace.id,
    names.ownerId,
    names.name,
    row.sql_name,
    '[]',
  ]);
  return row;
}

async function changeShape(
  sql: Sql,
  table: { id: string; target: string; name: string; existing: WorkspaceColumn[]; rows: readonly JsonObject[] },
): Promise<WorkspaceColumn[]> {
  const change = shapeFor(table.existing, table.rows, table.name);
  const clauses = [
    ...change.added.map((column) => `add column ${quoted(column.sql_name)} ${SQL_TYPES[column.type]}`),
    ...change.widened.map((column) => {
      const type = SQL_TYPES[column.type];
      return `alter column ${quoted(column.sql_name)} type ${type} using ${quoted(column.sql_name)}::${type}`;
    }),
  ];
  if (clauses.length > 0) {
    await sql.query(`alter table ${table.target} ${clauses.join(', ')}`);
    await sql.query('update workspace_tables set columns = $2, updated_at = clock_timestamp() where id = $1', [
      table.id,
      JSON.stringify(change.columns),
    ]);
  }
  return change.columns;
}
