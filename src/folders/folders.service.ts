import { Injectable } from '@nestjs/common';
import { FoldersStore, type FolderRow } from '../../infra/db/stores/folders.store';
import { checkDocumentName } from '../documents/document-name';
import type { CallerInfo } from '../http/caller';
import { isUuid } from '../http/ids';
import { checkChange } from '../shared/check-change';
import { invalidCursor, readTextPlace, writePlace } from '../shared/positions';
import { orAbsent } from '../shared/views';
import type { ChangeFolderDto, FolderDto, FolderListDto, FolderListQuery, NewFolderDto } from './dto/folder.dto';

const USUAL = 50;

@Injectable()
export class FoldersService {
  constructor(private readonly folders: FoldersStore) {}

  /** Throws `folder_not_found`; so do the others. */
  async list(caller: CallerInfo, query: FolderListQuery): Promise<FolderListDto> {
    if (query.parent !== undefined) await this.folders.require(caller.ownerId, query.parent);
    const limit = query.limit ?? USUAL;
    const after = placeOf(query.cursor);
    const rows = await this.folders.page(caller.ownerId, query.parent ?? null, { after, limit: limit + 1 });
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return {
      items: items.map(folderOf),
      ...(last === undefined ? {} : { next_cursor: writePlace('folders', [last.name, last.id]) }),
    };
  }

  /** Throws also `invalid_name`, `folder_exists`, `folder_too_deep`. */
  async create(caller: CallerInfo, { name, parent_id }: NewFolderDto): Promise<FolderDto> {
    checkDocumentName(name, 'folder');
    return folderOf(await this.folders.create(caller.ownerId, { name, parent_id: parent_id ?? null }));
  }

  async get(caller: CallerInfo, folderId: string): Promise<FolderDto> {
    return folderOf(await this.folders.require(caller.ownerId, folderId));
  }

  /** Throws also `nothing_to_change`, `invalid_name`, `folder_exists`, `folder_cycle`, `folder_too_deep`. */
  async change(caller: CallerInfo, folderId: string, body: ChangeFolderDto): Promise<FolderDto> {
    checkChange([body.name, body.parent_id]);
    if (body.name !== undefined) checkDocumentName(body.name, 'folder');
    return folderOf(await this.folders.change(caller.ownerId, folderId, body));
  }

  /** Throws also `folder_not_empty`. */
  async remove(caller: CallerInfo, folderId: string): Promise<void> {
    await this.folders.remove(caller.ownerId, folderId);
  }
}

function placeOf(cursor: string | undefined): { name: string; id: string } | undefined {
  const [name = '', id = ''] = readTextPlace('folders', cursor, 2) ?? [];
  if (cursor === undefined) return undefined;
  if (!isUuid(id)) throw invalidCursor();
  return { name, id };
}

function folderOf(row: FolderRow): FolderDto {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    created_at: row.created_at,
    ...orAbsent({ parent_id: row.parent_id }),
  };
}
