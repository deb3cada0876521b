import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import type { BlobStore } from '../../infra/blob/blob-store';
import { DocumentsStore, type DocumentRow } from '../../infra/db/stores/documents.store';
import { BLOBS } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import { orAbsent, pageBody } from '../shared/views';
import { checkDocumentName, mediaTypeOf } from './document-name';
import type { DocumentDto, DocumentListDto, DocumentListQuery } from './dto/document.dto';

export interface Download {
  name: string;
  mediaType: string;
  bytes: Buffer;
}

@Injectable()
export class DocumentsService {
  constructor(
    private readonly documents: DocumentsStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /** Throws `invalid_name`, `empty_document`. */
  async upload(
    caller: CallerInfo,
    { name, bytes }: { name: string; bytes: unknown },
    once: Once,
  ): Promise<VersionedBody<DocumentDto>> {
    const checked = checkDocumentName(name);
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
      throw new AppError('empty_document', 'Send the bytes of the document as the body (application/octet-stream).', {
        category: 'bad_request',
      });
    }
    const { sha256, size } = await this.blobs.put(caller.ownerId, bytes);
    const document = { name: checked, media_type: mediaTypeOf(checked), size, sha256 };
    return once.tx(async (sql) => answerOf(await this.documents.create(caller.ownerId, document, sql)));
  }

  async list(caller: CallerInfo, query: DocumentListQuery): Promise<DocumentListDto> {
    const { run, ...page } = query;
    const found = await this.documents.list(caller.ownerId, { ...page, ...(run === undefined ? {} : { runId: run }) });
    return pageBody(found, documentOf);
  }

  /** Throws `document_not_found`. */
  async get(caller: CallerInfo, documentId: string): Promise<VersionedBody<DocumentDto>> {
    return answerOf(await this.documents.require(caller.ownerId, documentId));
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
    media_type: row.media_type,
    size: row.size,
    sha256: row.sha256,
    created_at: row.created_at,
    ...orAbsent({ runId: row.run_id, step_path: row.step_path }),
    links: { download: `/api/agent-factory/documents/${row.id}/download` },
  };
}
