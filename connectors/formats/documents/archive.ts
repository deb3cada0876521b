import { readDirectory, unpackEntry, ZipError, ZipRoomError, type ReadAt, type ZipEntry } from '../../../infra/zip/zip';
import { FileFault } from '../file-fault';

/** Limits of an unpacked archive. It is never written to disk. */
export interface ArchiveLimits {
  entries: number;
  entryBytes: number;
  totalBytes: number;
}
export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 5_000,
  entryBytes: 128 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
};

export interface ArchiveEntry {
  name: string;
  /** Size in the archive's directory; `read` refuses another one. */
  size: number;
  read(): Buffer;
}

const UNIX = 3;
const SYMLINK = 0o120000;
const ZIP64 = 0xffffffff;

/**
 * The files of a ZIP archive by its directory. Names that lead elsewhere, links, encryption and bombs are refused
 * (FileFault); sizes are counted while unpacking, whatever the directory says.
 */
export function readArchive(bytes: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): ArchiveEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read: ReadAt = (position, length) => buffer.subarray(position, position + length);
  const budget = { left: limits.totalBytes };
  return asFault(() => {
    const { count, entries } = readDirectory(read, buffer.length);
    if (count > limits.entries) throw tooLarge(`it holds ${count} files, more than ${limits.entries}`);
    const found: ArchiveEntry[] = [];
    for (const entry of entries()) {
      refuseUnsafe(entry);
      const { name, size } = entry;
      if (!name.endsWith('/')) found.push({ name, size, read: () => unpack(read, entry, { limits, budget }) });
    }
    return found;
  });
}

/** Checks the directory before any file is read: throws where the declared sizes exceed the limit together. */
export function requireRoom(entries: readonly ArchiveEntry[], { totalBytes }: ArchiveLimits = ARCHIVE_LIMITS): void {
  if (entries.reduce((sum, { size }) => sum + size, 0) > totalBytes) throw unpacksTo(totalBytes);
}

/** Throws when the archive has no such file. */
export function entryOf(entries: readonly ArchiveEntry[], name: string): Buffer {
  const found = entries.find((entry) => entry.name === name);
  if (found === undefined) {
    throw malformed(`it has no \`${name}\``);
  }
  return found.read();
}

function refuseUnsafe({ name, flags, madeBy, attributes, packed, size, local }: ZipEntry): void {
  refuseEncrypted(flags);
  refuseName(name);
  if (madeBy >> 8 === UNIX && ((attributes >>> 16) & 0o170000) === SYMLINK) {
    throw unsafe(`\`${printableName(name)}\` is a link`);
  }
  if ([packed, size, local].includes(ZIP64)) throw tooLarge('it uses the form for archives above 4 GB');
}

function unpack(read: ReadAt, entry: ZipEntry, use: { limits: ArchiveLimits; budget: { left: number } }): Buffer {
  const room = Math.min(use.limits.entryBytes, use.budget.left);
  const data = asFault(() => unpackEntry(read, entry, { label: printableName(entry.name), room }), room);
  use.budget.left -= data.length;
  return data;
}

function asFault<T>(work: () => T, room = 0): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ZipRoomError) throw unpacksTo(room);
    throw error instanceof ZipError ? malformed(error.message) : error;
  }
}

function refuseEncrypted(flags: number): void {
  if ((flags & 1) !== 0) {
    throw new FileFault('file_encrypted', 'The file is encrypted. Save it without a password.');
  }
}

/** Unsafe names: `..`, absolute paths, drive letters, back slashes, NUL. No office file needs any of them. */
function refuseName(name: string): void {
  if (/[\0\\]|^\/|^[A-Za-z]:/.test(name) || name.split('/').includes('..')) {
    throw unsafe(`the name \`${printableName(name)}\` leads elsewhere`);
  }
}

function malformed(reason: string): FileFault {
  return new FileFault('malformed_archive', `The file is no readable ZIP archive: ${reason}.`);
}

function unsafe(reason: string): FileFault {
  return new FileFault('unsafe_archive', `The archive is refused: ${reason}.`);
}

function tooLarge(reason: string): FileFault {
  return new FileFault('archive_too_large', `The archive is refused: ${reason}.`);
}

function unpacksTo(bytes: number): FileFault {
  return tooLarge(`it unpacks to more than ${Math.floor(bytes / 1024 / 1024)} MB`);
}

function printableName(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?').slice(0, 100);
}
