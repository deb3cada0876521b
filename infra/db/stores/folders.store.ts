import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors/app-error';
import { owner, type Database, type Sql } from '../database';
import { checkSeen, type SeenVersion, type VersionedRow } from '../row-version';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';
import { openPage, sortsOf, type Page, type PageRequest } from './page';

export interface FolderRow extends VersionedRow {
  owner_id: string;
  name: string;
  parent_id: string | null;
  created_at: string;
}

const COLUMNS = 'id, owner_id, name, parent_id, row_version, created_at';
const SORTS = sortsOf({ name: { column: 'name', type: 'text' } });
/** Folders inside folders. */
const MOST_LEVELS = 20;

export interface FolderListRequest extends PageRequest {
  sort?: keyof typeof SORTS;
}

export class FoldersStore {
  constructor(private readonly database: Database) {}

  /** Finds or makes the folder of this name. Throws `folder_not_found` for an unknown parent. */
  async ensure(
    ownerId: string,
    folder: { name: string; parent_id?: string },
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<FolderRow> {
    if (folder.parent_id !== undefined && (await this.get(ownerId, folder.parent_id, sql)) === null) {
      throw notFound('folder', folder.parent_id);
    }
    const [created] = await sql.query<FolderRow>(
      `insert into folders (id, owner_id, name, parent_id) values ($1, $2, $3, $4) on conflict do nothing returning ${COLUMNS}`,
      [randomUUID(), ownerId, folder.name, folder.parent_id ?? null],
    );
    if (created !== undefined) {
      return created;
    }
    const [existing] = await sql.query<FolderRow>(
      `select ${COLUMNS} from folders
        where owner_id = $1 and name = $2 and parent_id is not distinct from $3::uuid and deleted_at is null`,
      [ownerId, folder.name, folder.parent_id ?? null],
    );
    return existing as FolderRow;
  }

  async get(ownerId: string, folderId: string, sql: Sql = this.database.as(owner(ownerId))): Promise<FolderRow | null> {
    if (!isUuid(folderId)) {
      return null;
    }
    const [row] = await sql.query<FolderRow>(
      `select ${COLUMNS} from folders where id = $1 and owner_id = $2 and deleted_at is null`,
      [folderId, ownerId],
    );
    return row ?? null;
  }

  /** Folders below `parentId`, or the top ones, by name. */
  async list(ownerId: string, parentId: string | null = null): Promise<FolderRow[]> {
    return this.database.query<FolderRow>(
      owner(ownerId),
      `select ${COLUMNS} from folders
        where owner_id = $1 and parent_id is not distinct from $2::uuid and deleted_at is null order by name, id`,
      [ownerId, parentId],
    );
  }

  /** One level: folders below `parentId`, or the top ones, by name. */
  async page(ownerId: string, parentId: string | null, request: FolderListRequest): Promise<Page<FolderRow>> {
    const page = openPage(`folders of ${parentId ?? 'the top'}`, request, SORTS[request.sort ?? 'name']);
    const rows = await this.database.query<FolderRow>(
      owner(ownerId),
      `select ${COLUMNS} from folders
        where owner_id = $1 and parent_id is not distinct from $2::uuid and deleted_at is null
          and ${page.after('$3', '$4')}
        order by ${page.order} limit $5`,
      [ownerId, parentId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** Throws `folder_not_found`. */
  async require(ownerId: string, folderId: string): Promise<FolderRow> {
    const row = await this.get(ownerId, folderId);
    if (row === null) throw notFound('folder', folderId);
    return row;
  }

  /** `sql`: a transaction, for its locks. Throws `folder_not_found` for an unknown parent, `folder_exists`, `folder_too_deep`. */
  async create(ownerId: string, folder: { name: string; parent_id: string | null }, sql: Sql): Promise<FolderRow> {
    await lockTree(sql, ownerId);
    await this.checkParent(sql, ownerId, folder.parent_id);
    const [row] = await sql.query<FolderRow>(
      `insert into folders (id, owner_id, name, parent_id) values ($1, $2, $3, $4) on conflict do nothing
        returning ${COLUMNS}`,
      [randomUUID(), ownerId, folder.name, folder.parent_id],
    );
    if (row === undefined) throw exists(folder.name);
    return row;
  }

  /**
   * Another name or parent; null = to the top. Throws `folder_not_found`, what `checkSeen` throws, `folder_exists`,
   * `folder_cycle`, `folder_too_deep`.
   */
  async change(
    ownerId: string,
    folderId: string,
    change: { name?: string | undefined; parent_id?: string | null | undefined },
    seen: SeenVersion,
  ): Promise<FolderRow> {
    return this.database.tx(owner(ownerId), async (sql) => {
      const now = await this.lock(sql, ownerId, folderId, seen);
      const to = {
        name: change.name ?? now.name,
        parent_id: change.parent_id === undefined ? now.parent_id : change.parent_id,
      };
      if (to.parent_id !== now.parent_id) await this.checkParent(sql, ownerId, to.parent_id, folderId);
      const twins = await sql.query(
        `select 1 from folders where owner_id = $1 and name = $2 and parent_id is not distinct from $3::uuid
          and deleted_at is null and id <> $4`,
        [ownerId, to.name, to.parent_id, folderId],
      );
      if (twins.length > 0) throw exists(to.name);
      const [row] = await sql.query<FolderRow>(
        `update folders set name = $3, parent_id = $4 where id = $1 and owner_id = $2 returning ${COLUMNS}`,
        [folderId, ownerId, to.name, to.parent_id],
      );
      return row as FolderRow;
    });
  }

  /** Removes an empty folder. Throws `folder_not_found`, what `checkSeen` throws, `folder_not_empty`. */
  async remove(ownerId: string, folderId: string, seen: SeenVersion): Promise<void> {
    await this.database.tx(owner(ownerId), async (sql) => {
      await this.lock(sql, ownerId, folderId, seen);
      const inside = await sql.query(
        `(select 1 from folders where parent_id = $1 and owner_id = $2 and deleted_at is null limit 1)
         union all (select 1 from documents where folder_id = $1 and owner_id = $2 and deleted_at is null limit 1)`,
        [folderId, ownerId],
      );
      if (inside.length > 0) {
        throw new AppError('folder_not_empty', 'The folder still holds something. Move or delete that first.', {
          category: 'conflict',
        });
      }
      await sql.query('update folders set deleted_at = clock_timestamp() where id = $1 and owner_id = $2', [
        folderId,
        ownerId,
      ]);
    });
  }

  private async lock(sql: Sql, ownerId: string, folderId: string, seen: SeenVersion): Promise<FolderRow> {
    await lockTree(sql, ownerId);
    const [row] = await sql.query<FolderRow>(
      `select ${COLUMNS} from folders where id = $1 and owner_id = $2 and deleted_at is null for update`,
      [folderId, ownerId],
    );
    if (row === undefined) throw notFound('folder', folderId);
    checkSeen(row, seen);
    return row;
  }

  /** Requires that the new parent exists, does not lie inside the folder itself, and is not too deep. */
  private async checkParent(sql: Sql, ownerId: string, parentId: string | null, moved?: string): Promise<void> {
    if (parentId === null) return;
    const above = await sql.query<{ id: string }>(
      `with recursive up as (
         select id, parent_id, 1 as depth from folders where id = $1 and owner_id = $2 and deleted_at is null
         union all
         select f.id, f.parent_id, up.depth + 1 from folders f join up on f.id = up.parent_id where up.depth <= $3)
       select id from up`,
      [parentId, ownerId, MOST_LEVELS],
    );
    if (above.length === 0) throw notFound('folder', parentId);
    if (above.some(({ id }) => id === moved)) {
      throw new AppError('folder_cycle', 'A folder cannot be moved into itself or into a folder inside it.', {
        category: 'conflict',
      });
    }
    if (above.length >= MOST_LEVELS) {
      throw new AppError('folder_too_deep', `Folders may lie ${MOST_LEVELS} levels deep.`, { category: 'conflict' });
    }
  }
}

/** Changes of one owner's tree wait for each other: two moves at once could make a circle. */
async function lockTree(sql: Sql, ownerId: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`folders/${ownerId}`]);
}

function exists(name: string): AppError {
  return new AppError('folder_exists', `There is a folder "${name}" in this place already.`, { category: 'conflict' });
}
