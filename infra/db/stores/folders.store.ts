import { randomUUID } from 'node:crypto';
import { owner, type Database, type Sql } from '../database';
import type { VersionedRow } from '../row-version';
import { notFound } from './not-found';
import { isUuid } from './page';

export interface FolderRow extends VersionedRow {
  owner_id: string;
  name: string;
  parent_id: string | null;
  created_at: string;
}

const COLUMNS = 'id, owner_id, name, parent_id, row_version, created_at';

export class FoldersStore {
  constructor(private readonly database: Database) {}

  /** The folder of this name, made when it is not there. Throws `folder_not_found` for an unknown parent. */
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
}
