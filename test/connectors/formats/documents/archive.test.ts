import { describe, expect, it } from '@jest/globals';
import { ARCHIVE_LIMITS, entryOf, readArchive } from '../../../../connectors/formats/documents/archive';
import { storedArchive } from '../../../../connectors/formats/documents/stored-archive';
import { zip } from '../zip';
import type { ZipFile } from '../zip';

const file = (name: string, data = 'x', more: Partial<ZipFile> = {}): ZipFile => ({ name, data, ...more });

describe('P03: archives', () => {
  it('gives its files, folders left out', () => {
    const entries = readArchive(zip([file('word/', ''), file('word/a.xml', '<a/>'), file('b.txt', 'b'.repeat(9_000))]));
    expect(entries.map((entry) => [entry.name, entry.read().length])).toEqual([
      ['word/a.xml', 4],
      ['b.txt', 9_000],
    ]);
  });

  it.each(['../x', 'a/../../x', '/etc/passwd', 'C:\\x', 'a\\..\\x', 'a\0b'])('the name %j is refused', (name) => {
    expect(() => readArchive(zip([file(name)]))).toThrow(expect.objectContaining({ code: 'unsafe_archive' }));
  });

  it('a link is refused', () => {
    expect(() => readArchive(zip([file('a', '/etc/passwd', { mode: 0o120777 })]))).toThrow(
      expect.objectContaining({ code: 'unsafe_archive' }),
    );
  });

  it.each([
    ['encrypted', zip([file('a', 'x', { flags: 1 })]), 'file_encrypted'],
    ['cut off', zip([file('a', 'abc'.repeat(100))]).subarray(0, 60), 'malformed_archive'],
    ['no archive', Buffer.from('hello'), 'malformed_archive'],
    ['empty', Buffer.alloc(0), 'malformed_archive'],
    ['with too many files', zip(Array.from({ length: 5_001 }, (_, at) => file(String(at)))), 'archive_too_large'],
  ])('an archive that is %s is refused as %s', (_what, bytes, code) => {
    expect(() => readArchive(bytes)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['a wrong checksum', file('a', 'abc', { checksum: 1 })],
    ['another size than it says', file('a', 'abc', { size: 2 })],
  ])('a file with %s is damaged', (_what, entry) => {
    expect(() => readArchive(zip([entry]))[0]?.read()).toThrow(expect.objectContaining({ code: 'malformed_archive' }));
  });

  it('a bomb ends at the limit, whatever its directory says', () => {
    const limits = { ...ARCHIVE_LIMITS, entryBytes: 1_000_000, totalBytes: 1_500_000 };
    const zeros = Buffer.alloc(1_200_000);
    for (const size of [zeros.length, 10]) {
      expect(() => readArchive(zip([{ name: 'a', data: zeros, size }]), limits)[0]?.read()).toThrow(
        expect.objectContaining({ code: 'archive_too_large' }),
      );
    }
    const [first, second] = readArchive(zip([file('a', '0'.repeat(900_000)), file('b', '0'.repeat(900_000))]), limits);
    expect(first?.read()).toHaveLength(900_000);
    expect(() => second?.read()).toThrow(expect.objectContaining({ code: 'archive_too_large' }));
  });

  it('a stored archive is read back', () => {
    const kept = (name: string, data: string) => ({ name, size: data.length, read: () => Buffer.from(data) });
    const entries = readArchive(storedArchive([kept('ä/1', 'one'), kept('2', '')]));
    expect(entries.map((entry) => [entry.name, entry.read().toString()])).toEqual([
      ['ä/1', 'one'],
      ['2', ''],
    ]);
    expect(() => entryOf(entries, '3')).toThrow(expect.objectContaining({ code: 'malformed_archive' }));
  });

  it('a stored archive reads its files one after the other, each once and none before it is its turn', () => {
    const seen: string[] = [];
    const kept = (name: string) => ({
      name,
      size: 1_000,
      read: () => {
        seen.push(name);
        return Buffer.alloc(1_000, name);
      },
    });
    const bytes = storedArchive(['a', 'b', 'c'].map(kept));
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(readArchive(bytes).map((entry) => entry.read().toString('latin1', 0, 2))).toEqual(['aa', 'bb', 'cc']);
  });
});
