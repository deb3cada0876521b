import type { Json } from '../../../../core/base/json';
import { isJsonObject, ownField } from '../../../../core/base/json';
import { isUuid } from '../../../../core/base/uuid';
import type { FileConnection } from '../../../../core/connector/types';
import { AppError } from '../../../../core/errors/app-error';
import { FileFault } from '../../../formats/file-fault';
import type { DocumentSource } from './document-source';
import { refuseFormat, refuseSize } from './input-file';
import type { InputFile } from './input-file';

interface Use {
  documents: DocumentSource;
  ownerId: string;
  connection: FileConnection;
}

/** Documents of the owner: an id, a list of ids, or a list of documents as other steps give them. */
export async function filesOfDocuments(given: Json, use: Use): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const id of new Set((Array.isArray(given) ? given : [given]).map(idOf))) {
    files.push(await fileOf(id, use));
  }
  return files;
}

async function fileOf(id: string, use: Use): Promise<InputFile> {
  const document = await use.documents.find(use.ownerId, id);
  return {
    file: document?.name ?? id,
    file_id: id,
    open: async () => {
      if (document === undefined) {
        throw new FileFault('document_not_found', `There is no document ${id}.`);
      }
      refuseFormat(document.name, use.connection);
      refuseSize(document.size, use.connection);
      return document.read();
    },
  };
}

/** Checked before any look-up. */
function idOf(item: Json): string {
  const id = isJsonObject(item) ? (ownField(item, 'id') ?? ownField(item, 'document_id') ?? null) : item;
  if (typeof id !== 'string' || !isUuid(id)) {
    throw new AppError(
      'invalid_document_id',
      '`documents` must be a document id, a list of ids, or a list of documents with an `id`.',
      {
        category: 'bad_request',
      },
    );
  }
  return id.toLowerCase();
}
