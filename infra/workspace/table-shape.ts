import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { type ColumnType, typeOf, widen } from './column-types';
import { sqlName } from './identifiers';

/** Column as `workspace_tables.columns` has it. */
export interface WorkspaceColumn {
  /** The data's own name of the field. */
  name: string;
  sql_name: string;
  type: ColumnType;
}
export interface ShapeChange {
  columns: WorkspaceColumn[];
  added: WorkspaceColumn[];
  /** Columns whose type becomes wider, with their new type. */
  widened: WorkspaceColumn[];
}

/** PostgreSQL's own limit is 1,600, less for wide types. */
const MAX_COLUMNS = 1000;

/**
 * Changes of a table so that it holds these rows.
 * @throws AppError `workspace_type_conflict`, `workspace_too_many_columns`
 */
export function shapeFor(
  existing: readonly WorkspaceColumn[],
  rows: readonly JsonObject[],
  table: string,
): ShapeChange {
  const wanted = fieldTypes(existing, rows, table);
  const before = new Map(existing.map((column) => [column.name, column]));
  const taken = new Set(existing.map((column) => column.sql_name));
  const change: ShapeChange = { columns: [], added: [], widened: [] };
  for (const [name, type] of wanted) {
    const known = before.get(name);
    const column = { name, sql_name: known?.sql_name ?? sqlName(name, taken), type };
    taken.add(column.sql_name);
    change.columns.push(column);
    if (known === undefined) {
      change.added.push(column);
    } else if (known.type !== type) {
      change.widened.push(column);
    }
  }
  if (change.columns.length > MAX_COLUMNS) {
    throw new AppError(
      'workspace_too_many_columns',
      `The table "${table}" would have ${change.columns.length} columns; the most is ${MAX_COLUMNS}. Select the fields to save first.`,
      { category: 'too_large' },
    );
  }
  return change;
}

/** Type of each field after these rows, existing columns first, then new ones by first appearance. */
function fieldTypes(
  existing: readonly WorkspaceColumn[],
  rows: readonly JsonObject[],
  table: string,
): Map<string, ColumnType> {
  const types = new Map<string, ColumnType>(existing.map((column) => [column.name, column.type]));
  const known = new Set(types.keys());
  rows.forEach((row, index) => {
    for (const [name, value] of Object.entries(row)) {
      const before = types.get(name) ?? 'unknown';
      const type = typeOf(value);
      // A new field that holds single values here and records there becomes json; an existing column may not.
      const after = widen(before, type) ?? (known.has(name) && before !== 'unknown' ? undefined : 'json');
      if (after === undefined) {
        throw conflict(table, { name, before, row: index + 1 });
      }
      types.set(name, after);
    }
  });
  return types;
}

function conflict(table: string, at: { name: string; before: ColumnType; row: number }): AppError {
  return new AppError(
    'workspace_type_conflict',
    `The column "${at.name}" of table "${table}" holds ${at.before}, but row ${at.row} has a list or record there. Rename the field, or compute a single value from it.`,
    { category: 'conflict', details: { table, column: at.name, row: at.row } },
  );
}
