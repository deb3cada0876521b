import { randomUUID } from 'node:crypto';
import { json } from '../clean-params';
import { owner, type Database, type Sql } from '../database';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';
import { openPage, sortsOf, type Page, type PageRequest } from './page';

export interface WorkspaceRow {
  id: string;
  owner_id: string;
  slug: string;
  name: string;
  /** PostgreSQL schema of the workspace's tables. */
  schema_name: string;
  created_at: string;
}
export interface WorkspaceColumn {
  /** Name in the data. */
  name: string;
  sql_name: string;
  type: string;
}
export interface WorkspaceTableRow {
  id: string;
  workspace_id: string;
  owner_id: string;
  name: string;
  sql_name: string;
  columns: WorkspaceColumn[];
  upsert_key: string | null;
  created_at: string;
  updated_at: string;
}

const WORKSPACE = 'id, owner_id, slug, name, schema_name, created_at';
const TABLE = 'id, workspace_id, owner_id, name, sql_name, columns, upsert_key, created_at, updated_at';
const BY_SLUG = sortsOf({ slug: { column: 'slug', type: 'text' } });
const BY_NAME = sortsOf({ name: { column: 'name', type: 'text' } });

/** Rows about workspaces and their tables; saving data makes the tables themselves. */
export class WorkspacesStore {
  constructor(private readonly database: Database) {}

  /** The workspace of this slug, its row made when missing. With `sql` the row is locked until that transaction ends. */
  async ensure(
    ownerId: string,
    workspace: { slug: string; name: string; schema_name: string },
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<WorkspaceRow> {
    // Names no index, as two unique ones can find the same duplicate: either means that it exists.
    const [row] = await sql.query<WorkspaceRow>(
      `insert into workspaces (id, owner_id, slug, name, schema_name) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning ${WORKSPACE}`,
      [randomUUID(), ownerId, workspace.slug, workspace.name, workspace.schema_name],
    );
    if (row) return row;
    const [twin] = await sql.query<WorkspaceRow>(
      `select ${WORKSPACE} from workspaces where owner_id = $1 and slug = $2 and deleted_at is null for update`,
      [ownerId, workspace.slug],
    );
    return twin as WorkspaceRow;
  }

  async list(ownerId: string): Promise<WorkspaceRow[]> {
    return this.database.query<WorkspaceRow>(
      owner(ownerId),
      `select ${WORKSPACE} from workspaces where owner_id = $1 and deleted_at is null order by slug`,
      [ownerId],
    );
  }

  async get(ownerId: string, slug: string, sql: Sql = this.database.as(owner(ownerId))): Promise<WorkspaceRow | null> {
    const [row] = await sql.query<WorkspaceRow>(
      `select ${WORKSPACE} from workspaces where owner_id = $1 and slug = $2 and deleted_at is null`,
      [ownerId, slug],
    );
    return row ?? null;
  }

  async getById(
    ownerId: string,
    id: string,
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<WorkspaceRow | null> {
    const [row] = await sql.query<WorkspaceRow>(
      `select ${WORKSPACE} from workspaces where owner_id = $1 and id = $2 and deleted_at is null`,
      [ownerId, id],
    );
    return row ?? null;
  }

  async table(
    ownerId: string,
    workspaceId: string,
    name: string,
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<WorkspaceTableRow | null> {
    const [row] = await sql.query<WorkspaceTableRow>(
      `select ${TABLE} from workspace_tables where workspace_id = $1 and owner_id = $2 and name = $3`,
      [workspaceId, ownerId, name],
    );
    return row ?? null;
  }

  /** Lists by slug. */
  async page(ownerId: string, request: PageRequest): Promise<Page<WorkspaceRow>> {
    const page = openPage('workspaces', request, BY_SLUG.slug);
    const rows = await this.database.query<WorkspaceRow>(
      owner(ownerId),
      `select ${WORKSPACE} from workspaces
        where owner_id = $1 and deleted_at is null and ${page.after('$2', '$3')} order by ${page.order} limit $4`,
      [ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** Finds by id or slug. Throws `workspace_not_found`. */
  async require(ownerId: string, idOrSlug: string): Promise<WorkspaceRow> {
    const row = isUuid(idOrSlug) ? await this.getById(ownerId, idOrSlug) : await this.get(ownerId, idOrSlug);
    if (row === null) {
      const own = await this.list(ownerId);
      throw notFound(
        'workspace',
        idOrSlug,
        own.map(({ slug }) => slug),
      );
    }
    return row;
  }

  /** Lists by name. */
  async tablePage(ownerId: string, workspaceId: string, request: PageRequest): Promise<Page<WorkspaceTableRow>> {
    const page = openPage(`workspace_tables of ${workspaceId}`, request, BY_NAME.name);
    const rows = await this.database.query<WorkspaceTableRow>(
      owner(ownerId),
      `select ${TABLE} from workspace_tables
        where workspace_id = $1 and owner_id = $2 and ${page.after('$3', '$4')} order by ${page.order} limit $5`,
      [workspaceId, ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** Finds by name or id. Throws `workspace_table_not_found`. */
  async requireTable(ownerId: string, workspaceId: string, nameOrId: string): Promise<WorkspaceTableRow> {
    const [row] = await this.database.query<WorkspaceTableRow>(
      owner(ownerId),
      `select ${TABLE} from workspace_tables
        where workspace_id = $1 and owner_id = $2 and (name = $3 or id::text = lower($3))
        order by (name = $3) desc limit 1`,
      [workspaceId, ownerId, nameOrId],
    );
    if (row === undefined) {
      const others = await this.tables(ownerId, workspaceId);
      throw notFound(
        'workspace_table',
        nameOrId,
        others.map(({ name }) => name),
      );
    }
    return row;
  }

  async tables(ownerId: string, workspaceId: string): Promise<WorkspaceTableRow[]> {
    return this.database.query<WorkspaceTableRow>(
      owner(ownerId),
      `select ${TABLE} from workspace_tables where workspace_id = $1 and owner_id = $2 order by name`,
      [workspaceId, ownerId],
    );
  }

  /** Writes what a table looks like now. */
  async saveTable(
    ownerId: string,
    table: { workspace_id: string; name: string; sql_name: string; columns: WorkspaceColumn[]; upsert_key?: string },
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<WorkspaceTableRow> {
    const [row] = await sql.query<WorkspaceTableRow>(
      `insert into workspace_tables (id, workspace_id, owner_id, name, sql_name, columns, upsert_key)
       select $1, w.id, $3, $4, $5, $6, $7 from workspaces w where w.id = $2 and w.owner_id = $3
       on conflict (workspace_id, name) do update set columns = excluded.columns, upsert_key = excluded.upsert_key,
         updated_at = clock_timestamp()
       returning ${TABLE}`,
      [
        randomUUID(),
        table.workspace_id,
        ownerId,
        table.name,
        table.sql_name,
        json(table.columns),
        table.upsert_key ?? null,
      ],
    );
    return row as WorkspaceTableRow;
  }
}
