import { crc32, inflateRawSync } from 'node:zlib';
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

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const UNIX = 3;
const SYMLINK = 0o120000;
const ZIP64 = 0xffffffff;

/**
 * The files of a ZIP archive by its directory. Names that lead elsewhere, links, encryption and bombs are refused
 * (FileFault); sizes are counted while unpacking, whatever the directory says.
 */
export function readArchive(bytes: Uint8Array, limits: ArchiveLimits = ARCHIVE_LIMITS): ArchiveEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(buffer);
  const count = buffer.readUInt16LE(end + 10);
  if (count > limits.entries) {
    throw tooLarge(`it holds ${count} files, more than ${limits.entries}`);
  }
  const budget = { left: limits.totalBytes };
  const entries: ArchiveEntry[] = [];
  let at = buffer.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    const head = readHead(buffer, at, end);
    at = head.next;
    if (!head.name.endsWith('/')) {
      entries.push({ name: head.name, size: head.size, read: () => unpack(buffer, head, { limits, budget }) });
    }
  }
  return entries;
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

interface Head {
  name: string;
  method: number;
  checksum: number;
  packed: number;
  size: number;
  local: number;
  next: number;
}

function findEnd(buffer: Buffer): number {
  const lowest = Math.max(0, buffer.length - END_BYTES - MAX_COMMENT);
  for (let at = buffer.length - END_BYTES; at >= lowest; at -= 1) {
    if (buffer.readUInt32LE(at) === END) {
      return at;
    }
  }
  throw malformed('its directory is missing: it was cut off, or is another kind of file');
}

function readHead(buffer: Buffer, at: number, end: number): Head {
  if (at + 46 > end || buffer.readUInt32LE(at) !== DIRECTORY) {
    throw malformed('its directory is damaged');
  }
  const nameLength = buffer.readUInt16LE(at + 28);
  const next = at + 46 + nameLength + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  const head: Head = {
    name: buffer.toString('utf8', at + 46, at + 46 + nameLength),
    method: buffer.readUInt16LE(at + 10),
    checksum: buffer.readUInt32LE(at + 16),
    packed: buffer.readUInt32LE(at + 20),
    size: buffer.readUInt32LE(at + 24),
    local: buffer.readUInt32LE(at + 42),
    next,
  };
  refuseEncrypted(buffer.readUInt16LE(at + 8));
  refuseName(head.name);
  if (buffer.readUInt16LE(at + 4) >> 8 === UNIX && ((buffer.readUInt32LE(at + 38) >>> 16) & 0o170000) === SYMLINK) {
    throw unsafe(`\`${printableName(head.name)}\` is a link`);
  }
  if ([head.packed, head.size, head.local].includes(ZIP64)) {
    throw tooLarge('it uses the form for archives above 4 GB');
  }
  return head;
}

function unpack(buffer: Buffer, head: Head, use: { limits: ArchiveLimits; budget: { left: number } }): Buffer {
  if (head.local + 30 > buffer.length || buffer.readUInt32LE(head.local) !== LOCAL) {
    throw malformed(`\`${printableName(head.name)}\` is not where the directory says`);
  }
  const start = head.local + 30 + buffer.readUInt16LE(head.local + 26) + buffer.readUInt16LE(head.local + 28);
  const packed = buffer.subarray(start, start + head.packed);
  const room = Math.min(use.limits.entryBytes, use.budget.left);
  const data = packed.length === head.packed ? inflated(packed, head, room) : undefined;
  if (data === undefined || data.length !== head.size || crc32(data) !== head.checksum) {
    throw malformed(`\`${printableName(head.name)}\` is damaged`);
  }
  use.budget.left -= data.length;
  return data;
}

/** Unpacked data; undefined where it cannot be unpacked. */
function inflated(packed: Buffer, head: Head, room: number): Buffer | undefined {
  if (head.method !== 0 && head.method !== 8) {
    throw malformed(`\`${printableName(head.name)}\` is packed with a method other than deflate`);
  }
  if (head.method === 0 ? packed.length > room : head.size > room) {
    throw unpacksTo(room);
  }
  if (head.method === 0) {
    return packed;
  }
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw unpacksTo(room);
    }
    return undefined;
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
