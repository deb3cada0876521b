import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../core/errors/app-error';
import { isStorageFull, storageFull } from '../db/outage';
import { makeFolders } from '../make-folders';
import { writeWhole } from '../write-whole';

export interface ExportRequest {
  /** Directory that all exports go to; made when it is missing. */
  directory: string;
  /** The same for every attempt: decides the final name, so that a repeat replaces its own file and no other. */
  effectKey: string;
  /** One plain name with an extension. */
  fileName: string;
  bytes: Uint8Array;
}

/**
 * Writes a file completely or not at all: temporary name, fsync, rename, fsync of the directory. The final name is
 * `<stem>-<hash of the effect key><extension>`. Returns the absolute path. @throws AppError `invalid_file_name`,
 * `storage_full` (the caller waits for space), `export_failed`
 */
export async function exportFile(request: ExportRequest): Promise<string> {
  const name = exportName(request.fileName, request.effectKey);
  try {
    makeFolders(request.directory);
    const directory = await realpath(request.directory);
    const target = path.join(directory, name);
    await writeWhole(target, request.bytes, 0o644);
    return target;
  } catch (cause) {
    if (isStorageFull(cause)) throw storageFull(cause, `The disk of the exports (${request.directory}) is full`);
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new AppError(
      'export_failed',
      `The file ${name} could not be written (${code}). Check the space and the rights of the export directory.`,
      {
        category: 'unavailable',
        retryable: true,
        cause,
      },
    );
  }
}

/** The name that an effect key gives to a file; never leads to another directory. */
export function exportName(fileName: string, effectKey: string): string {
  const { name: stem, ext, base, dir } = path.parse(fileName);
  if (base === '' || dir !== '' || base !== fileName || fileName.startsWith('.') || /[\\\p{Cc}]/u.test(fileName)) {
    throw new AppError('invalid_file_name', 'The file name must be one plain name without directories.', {
      category: 'validation',
    });
  }
  const hash = createHash('sha256').update(effectKey).digest('hex').slice(0, 12);
  return `${stem}-${hash}${ext}`;
}
