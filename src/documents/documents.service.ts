import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '../../infra/blob/blob-store';
import type { SeenVersion } from '../../infra/db/row-version';
import { DocumentsStore, type DocumentRow } from '../../infra/db/stores/documents.store';
import { FoldersStore } from '../../infra/db/stores/folders.store';
import { BLOBS } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import { withoutNulls, pageBody } from '../shared/views';
import { checkChange } from '../shared/check-change';
import { checkDocumentName, mediaTypeOf } from './document-name';
import type { ChangeDocumentDto, DocumentDto, DocumentListDto, DocumentListQuery } from './dto/document.dto';
import type { Upload } from './upload-of';

export interface Download {
  name: string;
  mediaType: string;
  bytes: Buffer;
}

@Injectable()
export class DocumentsService {
  constructor(
    private readonly documents: DocumentsStore,
    private readonly folders: FoldersStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /** Throws `invalid_name`, `folder_not_found`. */
  async upload(caller: CallerInfo, { name, folder, bytes }: Upload, once: Once): Promise<VersionedBody<DocumentDto>> {
    const checked = checkDocumentName(name);
    if (folder !== undefined) await this.folders.require(caller.ownerId, folder);
    const { sha256, size } = await this.blobs.put(caller.ownerId, bytes);
    const document = {
      name: checked,
      media_type: mediaTypeOf(checked),
      size,
      sha256,
      ...withoutNulls({ folder_id: folder ?? null }),
    };
    return once.tx(async (sql) => answerOf(await this.documents.create(caller.ownerId, document, sql)));
  }

  async list(caller: CallerInfo, query: DocumentListQuery): Promise<DocumentListDto> {
    const { run, folder, ...page } = query;
    const found = await this.documents.list(caller.ownerId, {
      ...page,
      ...(run === undefined ? {} : { runId: run }),
      ...(folder === undefined ? {} : { folderId: folder }),
    });
    return pageBody(found, documentOf);
  }

  /** Throws `document_not_found`. */
  async get(caller: CallerInfo, documentId: string): Promise<VersionedBody<DocumentDto>> {
    return answerOf(await this.documents.require(caller.ownerId, documentId));
  }

  /** Another name or folder. Throws `document_not_found`, `folder_not_found`, `invalid_name`, `nothing_to_change`. */
  async change(
    caller: CallerInfo,
    documentId: string,
    body: ChangeDocumentDto,
    seen: SeenVersion,
  ): Promise<VersionedBody<DocumentDto>> {
    checkChange([body.name, body.folder_id]);
    if (body.name !== undefined) checkDocumentName(body.name);
    return answerOf(await this.documents.change(caller.ownerId, documentId, body, seen));
  }

  /** Throws `document_not_found`. */
  async remove(caller: CallerInfo, documentId: string, seen: SeenVersion): Promise<void> {
    await this.documents.remove(caller.ownerId, documentId, seen);
  }

  /** Throws `document_not_found`. */
  async download(caller: CallerInfo, documentId: string): Promise<Download> {
    const row = await this.documents.require(caller.ownerId, documentId);
    return { name: row.name, mediaType: row.media_type, bytes: await this.blobs.get(caller.ownerId, row.sha256) };
  }
}

function answerOf(row: DocumentRow): VersionedBody<DocumentDto> {
  return versioned(documentOf(row), row);
}

function documentOf(row: DocumentRow): DocumentDto {
  return {
    id: row.id,
    name: row.name,
    ...withoutNulls({ folder_id: row.folder_id }),
    media_type: row.media_type,
    size: row.size,
    sha256: row.sha256,
    created_at: row.created_at,
    ...withoutNulls({ runId: row.run_id, step_path: row.step_path }),
    links: { download: `/api/agent-factory/documents/${row.id}/download` },
  };
}
