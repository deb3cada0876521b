import { crc32 } from 'node:zlib';
import type { ArchiveEntry } from './archive';

const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const LOCAL_BYTES = 30;
const DIRECTORY_BYTES = 46;
const END_BYTES = 22;

/**
 * An archive with the same files, not compressed, for libraries that open archives themselves: nothing in it can grow,
 * and its directory always agrees with its files. `size` is the most that `read` gives. Files are read one after the other into memory that is allocated once: beside
 * the archive there is never more than the largest of them.
 */
export function storedArchive(files: readonly ArchiveEntry[]): Buffer {
  const names = files.map(({ name }) => Buffer.from(name, 'utf8'));
  const headers = names.reduce((sum, { length }) => sum + LOCAL_BYTES + DIRECTORY_BYTES + 2 * length, 0);
  const contents = files.reduce((sum, { size }) => sum + size, 0);
  const archive = Buffer.allocUnsafe(headers + contents + END_BYTES);
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [index, file] of files.entries()) {
    const name = names[index] ?? Buffer.alloc(0);
    const data = file.read();
    const common = commonFields(data, name.length);
    const place: Field = [offset, 4];
    directory.push(
      numbers([0x02014b50, 4], [VERSION, 2]),
      common,
      numbers([0, 2], [0, 2], [0, 2], [0, 4], place),
      name,
    );
    for (const part of [numbers([0x04034b50, 4]), common, name, data]) offset += part.copy(archive, offset);
  }
  const index = Buffer.concat(directory);
  const count: Field = [files.length, 2];
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], count, count, [index.length, 4], [offset, 4], [0, 2]);
  for (const part of [index, end]) offset += part.copy(archive, offset);
  return archive.subarray(0, offset);
}

type Field = [value: number, bytes: 2 | 4];

/** The fields that a local header and a directory entry share: version, flags, method, time, checksum, sizes, lengths. */
function commonFields(data: Buffer, nameLength: number): Buffer {
  return numbers(
    [VERSION, 2],
    [FLAGS, 2],
    [0, 2],
    [0, 4],
    [crc32(data), 4],
    [data.length, 4],
    [data.length, 4],
    [nameLength, 2],
    [0, 2],
  );
}

function numbers(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}
