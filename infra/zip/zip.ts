import { crc32, inflateRawSync } from 'node:zlib';

/**
 * Reader of ZIP archives (PKWARE APPNOTE 4.3; no zip64, no encryption), for a file that is read piece by piece and for bytes in memory.
 * A library of its own would unpack to streams: here sizes, names and checksums are checked before anything is unpacked.
 */
const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const HEAD_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 65_535;
const STORED = 0;
const DEFLATED = 8;

/** Why an archive cannot be read, as the rest of a sentence. */
export class ZipError extends Error {}
/** An entry unpacks to more than it may. */
export class ZipRoomError extends ZipError {}

/** Bytes from a position on; fewer than asked for where the archive ends. */
export type ReadAt = (position: number, length: number) => Buffer;

/** An entry as the directory of the archive describes it. */
export interface ZipEntry {
  name: string;
  /** Version and system that made it. */
  madeBy: number;
  flags: number;
  method: number;
  checksum: number;
  packed: number;
  size: number;
  attributes: number;
  /** Position of its local head. */
  local: number;
}

/** The directory: how many entries it has, and the entries one after the other. Throws ZipError. */
export function readDirectory(read: ReadAt, size: number): { count: number; entries: () => Generator<ZipEntry> } {
  const from = Math.max(0, size - END_BYTES - MAX_COMMENT);
  const tail = read(from, size - from);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new ZipError('its directory is missing: it was cut off, or is another kind of file');
  const [count, length, at] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  return { count, entries: () => entriesOf(read(at, Math.min(length, Math.max(0, from + end - at))), count) };
}

function* entriesOf(directory: Buffer, count: number): Generator<ZipEntry> {
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + HEAD_BYTES > directory.length || directory.readUInt32LE(at) !== DIRECTORY) {
      throw new ZipError('its directory is damaged');
    }
    const nameLength = directory.readUInt16LE(at + 28);
    yield {
      name: directory.toString('utf8', at + HEAD_BYTES, at + HEAD_BYTES + nameLength),
      madeBy: directory.readUInt16LE(at + 4),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      attributes: directory.readUInt32LE(at + 38),
      local: directory.readUInt32LE(at + 42),
    };
    at += HEAD_BYTES + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
}

/**
 * The unpacked bytes of an entry, compared with its size and checksum. `label`: its name for messages.
 * Throws ZipError; ZipRoomError where it would unpack to more than `room` bytes, whatever the directory says.
 */
export function unpackEntry(read: ReadAt, entry: ZipEntry, { label, room }: { label: string; room: number }): Buffer {
  const head = read(entry.local, LOCAL_BYTES);
  if (head.length < LOCAL_BYTES || head.readUInt32LE(0) !== LOCAL) {
    throw new ZipError(`\`${label}\` is not where the directory says`);
  }
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new ZipError(`\`${label}\` is packed with a method other than deflate`);
  }
  if ((entry.method === STORED ? entry.packed : entry.size) > room) throw new ZipRoomError();
  const packed = read(entry.local + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28), entry.packed);
  const data = packed.length === entry.packed ? unpacked(packed, entry, room) : undefined;
  if (data === undefined || data.length !== entry.size || crc32(data) !== entry.checksum) {
    throw new ZipError(`\`${label}\` is damaged`);
  }
  return data;
}

/** Undefined where it cannot be unpacked. */
function unpacked(packed: Buffer, { method }: ZipEntry, room: number): Buffer | undefined {
  if (method === STORED) return packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new ZipRoomError();
    return undefined;
  }
}
