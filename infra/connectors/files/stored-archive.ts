import { crc32 } from 'node:zlib';

const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;

/**
 * An archive with the same files, unpacked. A library that opens archives itself gets this one: nothing in it can grow,
 * and its directory and its files cannot disagree.
 */
export function storedArchive(files: readonly { name: string; data: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name, 'utf8');
    const common = commonFields(file.data, name.length);
    const local = Buffer.concat([numbers([0x04034b50, 4]), common, name]);
    directory.push(
      numbers([0x02014b50, 4], [VERSION, 2]),
      common,
      numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
      name,
    );
    parts.push(local, file.data);
    offset += local.length + file.data.length;
  }
  const index = Buffer.concat(directory);
  const end = numbers(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [index.length, 4],
    [offset, 4],
    [0, 2],
  );
  return Buffer.concat([...parts, index, end]);
}

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

function numbers(...fields: [value: number, bytes: 2 | 4][]): Buffer {
  return Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}
