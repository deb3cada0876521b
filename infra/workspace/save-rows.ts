import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { isDatabaseOutage, isRetryable } from '../db/outage';
import { openTable } from './open-table';
import { openWorkspace, type WorkspaceAccess } from './open-workspace';
import { writeRows, type RowKey } from './write-rows';
import { sentence } from '../../core/base/sentence';

export interface SaveRequest {
  ownerId: string;
  /** Id or name; absent = the owner's default workspace. */
  workspace?: string;
  table: string;
  rows: readonly JsonObject[];
  createIfMissing: boolean;
  key: RowKey;
  runId: string | null;
  step: string;
}
export interface SaveResult {
  rows_inserted: number;
  rows_updated: number;
  table_name: string;
  workspace_id: string;
}

/** Class of the SQLSTATE codes that the data or the shape of a table causes: data, integrity, syntax or name, limits. */
const DATA_ERRORS = /^(22|23|42|54)/;

/**
 * Saves rows to a real table of a workspace, in the caller's transaction.
 * @throws AppError for whatever the data causes; errors of the database itself pass as they are
 */
export async function saveRows(door: WorkspaceAccess, request: SaveRequest): Promise<SaveResult> {
  try {
    return await save(door, request);
  } catch (cause) {
    throw asDataError(cause) ?? cause;
  }
}

async function save(door: WorkspaceAccess, request: SaveRequest): Promise<SaveResult> {
  const { ownerId, rows, key, createIfMissing: create } = request;
  const workspace = await openWorkspace(door, { ownerId, workspace: request.workspace, create });
  const table = await openTable(door, workspace, { ownerId, name: request.table, rows, create, upsertKey: key.fields });
  const written =
    rows.length === 0
      ? { inserted: 0, updated: 0 }
      : await writeRows(door.sql, table, { rows, key, origin: { runId: request.runId, step: request.step } });
  return {
    rows_inserted: written.inserted,
    rows_updated: written.updated,
    table_name: table.name,
    workspace_id: workspace.id,
  };
}

function asDataError(cause: unknown): AppError | undefined {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (cause instanceof AppError || isDatabaseOutage(cause) || isRetryable(cause) || !DATA_ERRORS.test(code)) {
    return undefined;
  }
  if (code === '23505') {
    return new AppError(
      'workspace_duplicate_key',
      'An earlier save gave this table an upsert key, and a row with the same key is there already. Set the same `upsert_key`, or save to another table.',
      { category: 'conflict', cause },
    );
  }
  const reason = cause instanceof Error ? cause.message : code;
  return new AppError(
    'workspace_write_failed',
    `The table could not take the data: ${sentence(reason)} Check the values, or save to another table.`,
    {
      category: 'validation',
      cause,
    },
  );
}
