import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import type { FileConnection } from '../../../../core/connector/types';
import { AppError } from '../../../../core/errors/app-error';
import { FileFault } from '../../../formats/file-fault';
import { extensionOf, refuseFormat, refuseSize } from './input-file';
import type { InputFile } from './input-file';

export interface DirectoryRequest {
  /** Absolute, or relative to one of the roots. */
  directory: string;
  /** Names of the wanted files; absent = all. */
  files?: string[];
  roots: readonly string[];
  connection: FileConnection;
}

/** Files of a directory below a granted root, by name. Symbolic links count by where they lead. */
export async function filesOfDirectory(request: DirectoryRequest): Promise<InputFile[]> {
  const roots = await realRoots(request.roots);
  const directory = await resolveDirectory(request.directory, roots);
  const names =
    request.files === undefined ? await listNames(directory, request.connection) : request.files.map(checkedName);
  return names.map((name) => ({
    file: name,
    file_id: name,
    open: () => readBelow(join(directory, name), { name, roots, connection: request.connection }),
  }));
}

async function realRoots(roots: readonly string[]): Promise<string[]> {
  const found = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  return found.filter((root) => root !== undefined);
}

async function resolveDirectory(directory: string, roots: readonly string[]): Promise<string> {
  const candidates = isAbsolute(directory) ? [directory] : roots.map((root) => join(root, directory));
  if (!hasTraversal(directory)) {
    for (const candidate of candidates) {
      const real = await realpath(candidate).catch(() => undefined);
      if (real !== undefined && isBelow(real, roots)) {
        return real;
      }
    }
  }
  throw new AppError(
    'directory_not_allowed',
    `The directory \`${printableName(directory)}\` cannot be read: it does not exist below a directory that AF_IMPORT_DIRS grants (${namesOf(roots)}). ` +
      'Give a path below one of them, absolute or relative to it, or have an administrator grant it ("af import-dirs add <path>", or AF_IMPORT_DIRS).',
    {
      category: 'bad_request',
      details: { setting: 'AF_IMPORT_DIRS' },
    },
  );
}

/** Last part of each path: the operator's folders are not shown. */
function namesOf(roots: readonly string[]): string {
  const names = new Set(roots.map((root) => `\`${printableName(basename(root))}\``));
  return [...names].join(', ') || 'none of which exists';
}

async function listNames(directory: string, connection: FileConnection): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => entry.name)
    .filter(
      (name) => connection.accepted_formats.length === 0 || connection.accepted_formats.includes(extensionOf(name)),
    )
    .sort();
}

function checkedName(name: string): string {
  if (name !== basename(name) || name === '' || name === '.' || hasTraversal(name)) {
    throw new AppError(
      'invalid_file_name',
      `\`${printableName(name)}\` is no file name: give names of files in the directory, without a path.`,
      {
        category: 'bad_request',
      },
    );
  }
  return name;
}

/** `..`, NUL and back slashes never lead anywhere, whatever they would resolve to. */
function hasTraversal(path: string): boolean {
  return path.includes('\0') || path.includes('\\') || path.split(/[/]/).includes('..');
}

function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const rest = relative(root, path);
    return rest === '' || (!isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`));
  });
}

/**
 * Opens what the path leads to without following a link again and reads it only if it is a plain file below a root:
 * the check and the read see the same file.
 */
async function readBelow(
  path: string,
  request: { name: string; roots: readonly string[]; connection: FileConnection },
): Promise<Uint8Array> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) {
    throw new FileFault('file_not_found', `\`${printableName(request.name)}\` is not in the directory.`);
  }
  if (!isBelow(real, request.roots)) {
    throw new FileFault(
      'path_not_allowed',
      `\`${printableName(request.name)}\` leads outside the directories that the operator granted.`,
    );
  }
  refuseFormat(request.name, request.connection);
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) {
    throw new FileFault('file_not_readable', `\`${printableName(request.name)}\` cannot be opened.`);
  }
  try {
    const state = await handle.stat();
    if (!state.isFile() || (await realpath(path).catch(() => undefined)) !== real) {
      throw new FileFault('path_not_allowed', `\`${printableName(request.name)}\` is no plain file.`);
    }
    refuseSize(state.size, request.connection);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function printableName(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?').slice(0, 200);
}
