import type { Json } from '../../../core/base/json';
import { isJsonObject, ownField } from '../../../core/base/json';
import type { FileConnection } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { FileFault } from '../files/file-fault';
import type { DocumentSource } from '../types';
import { refuseFormat, refuseSize } from './input-file';
import type { InputFile } from './input-file';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Documents of the owner: an id, a list of ids, or a list of documents as other steps give them. */
export function filesOfDocuments(given: Json, use: { documents: DocumentSource; ownerId: string; connection: FileConnection }): InputFile[] {
  const ids = (Array.isArray(given) ? given : [given]).map(idOf);
  return ids.map(({ id, name }) => ({
    file: name ?? id,
    file_id: id,
    open: async () => {
      const document = await use.documents.find(use.ownerId, id);
      if (document === undefined) {
        throw new FileFault('document_not_found', `There is no document ${id}.`);
      }
      refuseFormat(document.name, use.connection);
      refuseSize(document.size, use.connection);
      return document.read();
    },
  }));
}

function idOf(item: Json): { id: string; name?: string } {
  const id = isJsonObject(item) ? (ownField(item, 'id') ?? ownField(item, 'document_id') ?? null) : item;
  if (typeof id !== 'string' || !UUID.test(id)) {
    throw new AppError('invalid_document_id', '`documents` must be a document id, a list of ids, or a list of documents with an `id`.', {
      category: 'bad_request',
    });
  }
  const name = isJsonObject(item) ? ownField(item, 'name') : undefined;
  return { id: id.toLowerCase(), ...(typeof name === 'string' ? { name } : {}) };
}
