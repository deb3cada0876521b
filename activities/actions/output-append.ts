import { isUuid } from '../../core/base/uuid';
import { AppError } from '../../core/errors/app-error';
import type { BlobAddress } from '../../infra/blob/blob-store';
import type { Sql } from '../../infra/db/database';
import { outsideTransaction } from '../../infra/db/open-transaction';
import { appendFile } from '../../infra/export/append';
import { refuseNotComputed, renderFile, type RenderedFile } from '../../infra/export/render';
import { textOption } from '../../core/actions/option-reader';
import type { DestinationWork, Prepare } from './output-types';

interface Target {
  id: string;
  name: string;
  sha256: string;
  media_type: string;
}

/**
 * Adds to an existing document (`config.document_id`, or `config.document`: its name; the newest of that name). The new
 * content is made before the transaction; if the document changed meanwhile it is made again under the row's lock, so
 * that two appends at one time both end up in it.
 */
export const toExisting: Prepare = async (work) => {
  const { context, deps } = work;
  const wanted = textOption(work.destination.config, 'document_id') ?? textOption(work.destination.config, 'document');
  if (wanted === undefined) {
    throw new AppError('invalid_params', '`config.document_id` is missing: it names the document to append to.', {
      category: 'validation',
    });
  }
  // Rows that are added to a document have no facts beside them.
  if (work.destination.format === 'csv') refuseNotComputed(work.job.report);
  const file = renderFile(work.job.report, work.destination.format);
  const before = await deps.documents.find(context.ownerId, idOrName(wanted));
  if (before === null) {
    throw notFound(wanted);
  }
  const prepared = await extended(work, before, file);
  return async (sql) => {
    const target = await locked(sql, context.ownerId, before.id);
    if (target === undefined) {
      throw notFound(wanted);
    }
    // Another run, or an earlier destination of this step, was quicker: what to append to is known only now.
    const address =
      target.sha256 === before.sha256 ? prepared : await outsideTransaction(() => extended(work, target, file));
    await sql.query('update documents set sha256 = $2, size = $3 where id = $1', [
      target.id,
      address.sha256,
      address.size,
    ]);
    return { document_id: target.id, filename: target.name, size: address.size };
  };
};

async function extended(work: DestinationWork, target: Target, file: RenderedFile): Promise<BlobAddress> {
  const { blobs } = work.deps;
  const before = await blobs.get(work.context.ownerId, target.sha256);
  return blobs.put(work.context.ownerId, appendFile(before, target.media_type, file));
}

async function locked(sql: Sql, ownerId: string, id: string): Promise<Target | undefined> {
  const [row] = await sql.query<Target>(
    'select id, name, sha256, media_type from documents where id = $1 and owner_id = $2 and deleted_at is null for update',
    [id, ownerId],
  );
  return row;
}

function idOrName(wanted: string): { id: string } | { name: string } {
  return isUuid(wanted) ? { id: wanted.toLowerCase() } : { name: wanted };
}

function notFound(wanted: string): AppError {
  return new AppError('document_not_found', `There is no document "${wanted}" to append to. Check \`document_id\`.`, {
    category: 'not_found',
  });
}
