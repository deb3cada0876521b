import type { BlobStore } from '../../../../infra/blob/blob-store';
import type { DocumentsStore } from '../../../../infra/db/stores/documents.store';
import type { DocumentSource } from './document-source';

/** Documents of the database with their content from the blob store. */
export function storedDocuments(documents: Pick<DocumentsStore, 'get'>, blobs: Pick<BlobStore, 'get'>): DocumentSource {
  return {
    find: async (ownerId, id) => {
      const row = await documents.get(ownerId, id);
      return row === null ? undefined : { name: row.name, size: row.size, read: () => blobs.get(ownerId, row.sha256) };
    },
  };
}
