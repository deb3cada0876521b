import { Injectable } from '@nestjs/common';
import type { SeenVersion } from '../../infra/db/row-version';
import { FoldersStore, type FolderRow } from '../../infra/db/stores/folders.store';
import { checkDocumentName } from '../documents/document-name';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import { checkChange } from '../shared/check-change';
import { withoutNulls, pageBody } from '../shared/views';
import type { ChangeFolderDto, FolderDto, FolderListDto, FolderListQuery, NewFolderDto } from './dto/folder.dto';

@Injectable()
export class FoldersService {
  constructor(private readonly folders: FoldersStore) {}

  /** Throws `folder_not_found`; so do the others. */
  async list(caller: CallerInfo, query: FolderListQuery): Promise<FolderListDto> {
    if (query.parent !== undefined) await this.folders.require(caller.ownerId, query.parent);
    const { parent = null, ...page } = query;
    return pageBody(await this.folders.page(caller.ownerId, parent, page), folderOf);
  }

  /** Throws also `invalid_name`, `folder_exists`, `folder_too_deep`. */
  async create(caller: CallerInfo, { name, parent_id }: NewFolderDto, once: Once): Promise<VersionedBody<FolderDto>> {
    checkDocumentName(name, 'folder');
    const folder = { name, parent_id: parent_id ?? null };
    return once.tx(async (sql) => answerOf(await this.folders.create(caller.ownerId, folder, sql)));
  }

  async get(caller: CallerInfo, folderId: string): Promise<VersionedBody<FolderDto>> {
    return answerOf(await this.folders.require(caller.ownerId, folderId));
  }

  /** Throws also `nothing_to_change`, `invalid_name`, `folder_exists`, `folder_cycle`, `folder_too_deep`. */
  async change(
    caller: CallerInfo,
    folderId: string,
    body: ChangeFolderDto,
    seen: SeenVersion,
  ): Promise<VersionedBody<FolderDto>> {
    checkChange([body.name, body.parent_id]);
    if (body.name !== undefined) checkDocumentName(body.name, 'folder');
    return answerOf(await this.folders.change(caller.ownerId, folderId, body, seen));
  }

  /** Throws also `folder_not_empty`. */
  async remove(caller: CallerInfo, folderId: string, seen: SeenVersion): Promise<void> {
    await this.folders.remove(caller.ownerId, folderId, seen);
  }
}

function answerOf(row: FolderRow): VersionedBody<FolderDto> {
  return versioned(folderOf(row), row);
}

function folderOf(row: FolderRow): FolderDto {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at,
    ...withoutNulls({ parent_id: row.parent_id }),
  };
}
