import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { Database } from '../../infra/db/database';
import { isInteger, isText, readCursor, writeCursor, type CursorScope } from '../../infra/db/stores/cursor';
import { WorkspacesStore, type WorkspaceRow, type WorkspaceTableRow } from '../../infra/db/stores/workspaces.store';
import { exportRows } from '../../infra/workspace/export-rows';
import { readRows, type ReadableTable, type RowPlace, type StoredRow } from '../../infra/workspace/read-rows';
import type { WorkspaceColumn } from '../../infra/workspace/table-shape';
import type { CallerInfo } from '../http/caller';
import type { PageQuery } from '../http/page';
import { startedStream } from '../shared/started-stream';
import { withoutNulls, pageBody } from '../shared/views';
import type {
  ExportQuery,
  RowsQuery,
  TableRowDto,
  TableRowListDto,
  WorkspaceDto,
  WorkspaceListDto,
  WorkspaceTableDto,
  WorkspaceTableListDto,
} from './dto/workspace.dto';
import { readFilters, readSort } from './row-filters';

const USUAL = 50;

export interface TableExport {
  name: string;
  format: 'csv' | 'json';
  stream: Readable;
}

/** Tables that steps saved, to read. */
@Injectable()
export class WorkspacesService {
  constructor(
    private readonly workspaces: WorkspacesStore,
    private readonly database: Database,
  ) {}

  async list(caller: CallerInfo, query: PageQuery): Promise<WorkspaceListDto> {
    return pageBody(await this.workspaces.page(caller.ownerId, query), workspaceOf);
  }

  /** Throws `workspace_not_found`; so do the others. */
  async get(caller: CallerInfo, idOrSlug: string): Promise<WorkspaceDto> {
    return workspaceOf(await this.workspaces.require(caller.ownerId, idOrSlug));
  }

  async tables(caller: CallerInfo, idOrSlug: string, query: PageQuery): Promise<WorkspaceTableListDto> {
    const { id } = await this.workspaces.require(caller.ownerId, idOrSlug);
    return pageBody(await this.workspaces.tablePage(caller.ownerId, id, query), tableOf);
  }

  /** Throws also `workspace_table_not_found`; so do those below. */
  async table(caller: CallerInfo, idOrSlug: string, nameOrId: string): Promise<WorkspaceTableDto> {
    return tableOf((await this.open(caller, idOrSlug, nameOrId)).row);
  }

  /** Throws also `unknown_column`, `invalid_filter`, `invalid_sort`. */
  async rows(caller: CallerInfo, idOrSlug: string, nameOrId: string, query: RowsQuery): Promise<TableRowListDto> {
    const { row, table } = await this.open(caller, idOrSlug, nameOrId);
    const limit = query.limit ?? USUAL;
    const scope = { list: 'rows', filters: { table: row.id, sort: query.sort ?? null, filter: query.filter ?? null } };
    const rows = await readRows(this.database, caller.ownerId, table, {
      filters: readFilters(query.filter),
      sort: readSort(query.sort),
      after: rowPlace(scope, query.cursor),
      limit: limit + 1,
    });
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return {
      items: items.map(rowOf),
      ...(last === undefined ? {} : { next_cursor: writeRowPlace(scope, last.place) }),
    };
  }

  async export(caller: CallerInfo, idOrSlug: string, nameOrId: string, query: ExportQuery): Promise<TableExport> {
    const { row, table } = await this.open(caller, idOrSlug, nameOrId);
    const format = query.format ?? 'csv';
    const filters = readFilters(query.filter);
    const stream = await startedStream(exportRows(this.database, { ownerId: caller.ownerId, table, filters, format }));
    return { name: `${row.name}.${format}`, format, stream };
  }

  private async open(
    caller: CallerInfo,
    idOrSlug: string,
    nameOrId: string,
  ): Promise<{ row: WorkspaceTableRow; table: ReadableTable }> {
    const workspace = await this.workspaces.require(caller.ownerId, idOrSlug);
    const row = await this.workspaces.requireTable(caller.ownerId, workspace.id, nameOrId);
    const { schema_name } = workspace;
    return { row, table: { schema_name, sql_name: row.sql_name, columns: row.columns as WorkspaceColumn[] } };
  }
}

/** The value that the row is sorted by may be null, or any text. */
function writeRowPlace(scope: CursorScope, { id, value }: RowPlace): string {
  return writeCursor(scope, [String(id), value === null ? '' : `=${value}`]);
}

function rowPlace(scope: CursorScope, cursor: string | undefined): RowPlace | undefined {
  if (cursor === undefined) return undefined;
  const [id, value = ''] = readCursor(scope, cursor, [isInteger, (text) => isText(text) && /^(?:=|$)/.test(text)]);
  return { id: Number(id), value: value === '' ? null : value.slice(1) };
}

function workspaceOf({ id, slug, name, created_at }: WorkspaceRow): WorkspaceDto {
  return { id, slug, name, created_at };
}

function tableOf(row: WorkspaceTableRow): WorkspaceTableDto {
  return {
    id: row.id,
    name: row.name,
    columns: row.columns.map(({ name, type }) => ({ name, type })),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...withoutNulls({ upsert_key: row.upsert_key }),
  };
}

function rowOf({ id, run_id, step, saved_at, values }: StoredRow): TableRowDto {
  return { row_no: id, saved_at, values, ...withoutNulls({ runId: run_id, step }) };
}
