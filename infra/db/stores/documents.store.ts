import { randomUUID } from 'node:crypto';
import { owner, type Database, type Sql } from '../database';
import { checkSeen, type SeenVersion, type VersionedRow } from '../row-version';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';
import { BY_CREATION, openPage, type Page, type PageRequest } from './page';

export interface DocumentRow extends VersionedRow {
  owner_id: string;
  folder_id: string | null;
  name: string;
  media_type: string;
  size: number;
  sha256: string;
  run_id: string | null;
  step_path: string | null;
  effect_key: string | null;
  export_path: string | null;
  created_at: string;
}
export interface NewDocument {
  name: string;
  media_type: string;
  size: number;
  /** Address of the content in the owner's blob store: put it there first. */
  sha256: string;
  folder_id?: string;
  run_id?: string;
  step_path?: string;
  /** Key with which the document is written once; a repeat gets the first one. */
  effect_key?: string;
  export_path?: string;
}
export interface DocumentFilter extends PageRequest {
  sort?: keyof typeof BY_CREATION;
  folderId?: string;
  runId?: string;
}

const COLUMNS = `id, owner_id, folder_id, name, media_type, size, sha256, run_id, step_path, effect_key, export_path, row_version, created_at`;

export class DocumentsStore {
  constructor(private readonly database: Database) {}

  /** `sql`: the transaction of the result that this document belongs to. */
  async create(
    ownerId: string,
    document: NewDocument,
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<DocumentRow> {
    const [created] = await sql.query<DocumentRow>(
      `insert into documents (id, owner_id, folder_id, name, media_type, size, sha256, run_id, step_path, effect_key, export_path)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning ${COLUMNS}`,
      [
        randomUUID(),
        ownerId,
        document.folder_id ?? null,
        document.name,
        document.media_type,
        document.size,
        document.sha256,
        document.run_id ?? null,
        document.step_path ?? null,
        document.effect_key ?? null,
        document.export_path ?? null,
      ],
    );
    if (created !== undefined) {
      return created;
    }
    const [existing] = await sql.query<DocumentRow>(
      `select ${COLUMNS} from documents where owner_id = $1 and effect_key = $2`,
      [ownerId, document.effect_key],
    );
    return existing as DocumentRow;
  }

  async get(ownerId: string, documentId: string): Promise<DocumentRow | null> {
    if (!isUuid(documentId)) {
      return null;
    }
    const [row] = await this.database.query<DocumentRow>(
      owner(ownerId),
      `select ${COLUMNS} from documents where id = $1 and owner_id = $2 and deleted_at is null`,
      [documentId, ownerId],
    );
    return row ?? null;
  }

  /** Finds by id, or the newest of a name. */
  async find(ownerId: string, by: { id: string } | { name: string }): Promise<DocumentRow | null> {
    if ('id' in by) {
      return this.get(ownerId, by.id);
    }
    const [row] = await this.database.query<DocumentRow>(
      owner(ownerId),
      `select ${COLUMNS} from documents where owner_id = $1 and name = $2 and deleted_at is null order by created_at desc, id desc limit 1`,
      [ownerId, by.name],
    );
    return row ?? null;
  }

  /** Throws `document_not_found`. */
  async require(ownerId: string, documentId: string): Promise<DocumentRow> {
    const row = await this.get(ownerId, documentId);
    if (row === null) {
      throw notFound('document', documentId);
    }
    return row;
  }

  async list(ownerId: string, filter: DocumentFilter): Promise<Page<DocumentRow>> {
    const page = openPage('documents', filter, BY_CREATION[filter.sort ?? '-created_at']);
    if ([filter.folderId, filter.runId].some((id) => id !== undefined && !isUuid(id))) {
      return { items: [], next_cursor: null };
    }
    const rows = await this.database.query<DocumentRow>(
      owner(ownerId),
      `select ${COLUMNS} from documents
        where owner_id = $1 and deleted_at is null and ($2::uuid is null or folder_id = $2) and ($3::uuid is null or run_id = $3)
          and ${page.after('$4', '$5')}
        order by ${page.order} limit $6`,
      [ownerId, filter.folderId ?? null, filter.runId ?? null, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /**
   * Another name or place; null = no folder. Throws `document_not_found`, `folder_not_found`, and what `checkSeen` throws.
   */
  async change(
    ownerId: string,
    documentId: string,
    change: { name?: string | undefined; folder_id?: string | null | undefined },
    seen: SeenVersion,
  ): Promise<DocumentRow> {
    return this.touch(ownerId, documentId, seen, async (sql) => {
      await checkFolder(sql, ownerId, change.folder_id);
      return sql.query<DocumentRow>(
        `update documents set name = coalesce($3, name),
            folder_id = case when $4 then $5::uuid else folder_id end
          where id = $1 and owner_id = $2 returning ${COLUMNS}`,
        [documentId, ownerId, change.name ?? null, change.folder_id !== undefined, change.folder_id ?? null],
      );
    });
  }

  /** Hides it; what refers to it keeps its content. Throws `document_not_found`, and what `checkSeen` throws. */
  async remove(ownerId: string, documentId: string, seen: SeenVersion): Promise<void> {
    await this.touch(ownerId, documentId, seen, (sql) =>
      sql.query<DocumentRow>(
        `update documents set deleted_at = clock_timestamp() where id = $1 and owner_id = $2 returning ${COLUMNS}`,
        [documentId, ownerId],
      ),
    );
  }

  /** Looks at the row under its lock, and only then changes it. */
  private async touch(
    ownerId: string,
    documentId: string,
    seen: SeenVersion,
    update: (sql: Sql) => Promise<DocumentRow[]>,
  ): Promise<DocumentRow> {
    return this.database.tx(owner(ownerId), async (sql) => {
      const [now] = await sql.query<VersionedRow>(
        'select id, row_version from documents where id = $1 and owner_id = $2 and deleted_at is null for update',
        [documentId, ownerId],
      );
      if (now === undefined) throw notFound('document', documentId);
      checkSeen(now, seen);
      const [row] = await update(sql);
      return row as DocumentRow;
    });
  }
}

/** The folder stays while the document goes into it. */
async function checkFolder(sql: Sql, ownerId: string, folderId: string | null | undefined): Promise<void> {
  if (folderId === undefined || folderId === null) return;
  const found = await sql.query(
    'select 1 from folders where id = $1 and owner_id = $2 and deleted_at is null for share',
    [folderId, ownerId],
  );
  if (found.length === 0) throw notFound('folder', folderId);
}
