import { isUuid } from '../../core/base/uuid';
import { AppError } from '../../core/errors/app-error';
import { fileName } from '../../core/report/file-name';
import type { Sql } from '../../infra/db/database';
import { alteredDetails } from '../../infra/export/altered-cells';
import { exportFile, exportName } from '../../infra/export/file-export';
import { renderSidecar, renderFile, type RenderedFile } from '../../infra/export/render';
import { flagOption, textOption } from '../../core/actions/option-reader';
import type { DestinationWork, Prepare } from './output-types';

/** A document of the owner; in a folder where one is named. */
export const toDocument: Prepare = async (work) => {
  const file = renderFile(work.job.report, work.destination.format);
  const filename = nameFor(work, file);
  const address = await work.deps.blobs.put(work.context.ownerId, file.bytes);
  const beside = await besideDocument(work, filename);
  return async (sql) => {
    const folder_id = await folderFor(work, sql);
    const document = await work.deps.documents.create(
      work.context.ownerId,
      {
        ...originOf(work),
        ...address,
        name: filename,
        media_type: file.mediaType,
        ...(folder_id === undefined ? {} : { folder_id }),
      },
      sql,
    );
    const meta = await beside(sql, folder_id);
    return {
      document_id: document.id,
      filename: document.name,
      size: document.size,
      folder_id: document.folder_id,
      ...alteredDetails(file.altered),
      ...meta,
    };
  };
};

/** Writes a document; a folder must be named. */
export const toFolder: Prepare = async (work) => {
  if (folderName(work) === undefined) {
    throw new AppError('invalid_params', '`config.folder_id` is missing: it names the folder to save to.', {
      category: 'validation',
    });
  }
  return toDocument(work);
};

/** A file in the export directory, and a document that stands for it. */
export const toFile: Prepare = async (work) => {
  const file = renderFile(work.job.report, work.destination.format);
  const { context, deps, effectKey } = work;
  const filename = nameFor(work, file);
  await context.beforeEffect({ description: `file ${exportName(filename, effectKey)}`, effect: 'idempotent' });
  const path = await exportFile({ directory: deps.exportDir, effectKey, fileName: filename, bytes: file.bytes });
  const address = await deps.blobs.put(context.ownerId, file.bytes);
  const about = renderSidecar(work.job.report, work.destination.format);
  const meta_path =
    about &&
    (await exportFile({
      directory: deps.exportDir,
      effectKey,
      fileName: `${filename}${about.extension}`,
      bytes: about.bytes,
    }));
  return async (sql) => {
    const row = { ...originOf(work), ...address, name: filename, media_type: file.mediaType, export_path: path };
    const document = await deps.documents.create(context.ownerId, row, sql);
    return {
      document_id: document.id,
      filename,
      export_path: path,
      size: file.bytes.length,
      ...alteredDetails(file.altered),
      ...(meta_path && { meta_path }),
    };
  };
};

type Beside = (sql: Sql, folderId: string | undefined) => Promise<{ meta_document_id?: string }>;

/** A second document beside one that holds rows alone: it names the run and what is missing. */
async function besideDocument(work: DestinationWork, filename: string): Promise<Beside> {
  const about = renderSidecar(work.job.report, work.destination.format);
  if (about === undefined) return async () => ({});
  const address = await work.deps.blobs.put(work.context.ownerId, about.bytes);
  return async (sql, folder_id) => {
    const row = {
      ...originOf(work),
      effect_key: `${work.effectKey}.meta`,
      ...address,
      name: `${filename}${about.extension}`,
      media_type: about.mediaType,
      ...(folder_id === undefined ? {} : { folder_id }),
    };
    return { meta_document_id: (await work.deps.documents.create(work.context.ownerId, row, sql)).id };
  };
}

function nameFor(work: DestinationWork, file: RenderedFile): string {
  const { config } = work.destination;
  const template = textOption(config, 'filename_template') ?? textOption(config, 'filename') ?? '{title}_{date}';
  return fileName(template, work.job.names, file.extension);
}

function originOf(work: DestinationWork): { run_id: string; step_path: string; effect_key: string } {
  return { run_id: work.context.runId, step_path: work.context.stepPath, effect_key: work.effectKey };
}

function folderName(work: DestinationWork): string | undefined {
  const { config } = work.destination;
  return textOption(config, 'folder_id') ?? textOption(config, 'folder');
}

/**
 * Finds the folder by id, or by name among the owner's top folders; creates a missing one unless `create_if_missing` is
 * false.
 */
async function folderFor(work: DestinationWork, sql: Sql): Promise<string | undefined> {
  const name = folderName(work);
  if (name === undefined) {
    return undefined;
  }
  const { folders } = work.deps;
  const { ownerId } = work.context;
  if (isUuid(name)) {
    return (await folders.get(ownerId, name.toLowerCase(), sql))?.id ?? folderMissing(name);
  }
  if (flagOption(work.destination.config, 'create_if_missing', true)) {
    return (await folders.ensure(ownerId, { name }, sql)).id;
  }
  const [found] = await sql.query<{ id: string }>(
    'select id from folders where owner_id = $1 and name = $2 and parent_id is null and deleted_at is null',
    [ownerId, name],
  );
  return found?.id ?? folderMissing(name);
}

function folderMissing(name: string): never {
  throw new AppError(
    'folder_not_found',
    `There is no folder "${name}". Check \`folder_id\`, or set \`create_if_missing\`.`,
    { category: 'not_found' },
  );
}
