import { describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { readJson } from '../../../connectors/http/bodies/read-json';
import { declaredEncoding, decodeText, actualEncoding } from '../../../connectors/formats/text/decode';

const xml = (encoding: string, text = 'é'): string => `<?xml version="1.0" encoding="${encoding}"?><a>${text}</a>`;
const marked = (mark: number[], text: string, encoding: BufferEncoding): Buffer =>
  Buffer.concat([Buffer.from(mark), Buffer.from(text, encoding)]);

// findings/utf16nobom.csv, and its kind: what bytes say goes before what is said of them.
describe('a text that is called something else than it is', () => {
  it.each<[string, Buffer, string, string]>([
    ['a mark of UTF-8 under Latin-1', marked([0xef, 0xbb, 0xbf], 'é', 'utf8'), 'iso-8859-1', 'é'],
    ['a mark of UTF-16 under UTF-8', marked([0xff, 0xfe], 'é', 'utf16le'), 'utf-8', 'é'],
    ['a mark of UTF-16, the other way round', marked([0xfe, 0xff], '\u6100', 'utf16le'), 'windows-1252', 'a'],
    ['UTF-16 declared where each letter is a byte', Buffer.from(xml('utf-16')), 'auto', xml('utf-16')],
    ['UCS-2, with capitals', Buffer.from(xml('UCS-2')), 'auto', xml('UCS-2')],
    ['Latin-1 declared over UTF-8', Buffer.from(xml('ISO-8859-1')), 'auto', xml('ISO-8859-1')],
    ['Latin-1 that is true', Buffer.from(xml('ISO-8859-1'), 'latin1'), 'auto', xml('ISO-8859-1')],
    [
      'another encoding that is true',
      Buffer.from([...Buffer.from(xml('windows-1251', '')), 0xc4]),
      'auto',
      `${xml('windows-1251', '')}Д`,
    ],
    ['what the definition says', Buffer.from('Ã©'), 'windows-1252', 'ÃƒÂ©'],
  ])('%s', (_name, bytes, encoding, text) => {
    expect(decodeText(bytes, encoding)).toBe(text);
  });

  it.each<[string, Buffer, string, string]>([
    ['UTF-16 without a mark', Buffer.from('a,b\n1,2\n', 'utf16le'), 'utf-8', 'utf-16le'],
    ['UTF-16 of big ends', Buffer.from('a,b\n1,2\n', 'utf16le').swap16(), 'auto', 'utf-16be'],
    ['UTF-32 with its mark', marked([0xff, 0xfe, 0, 0], 'a\0b\0c\0', 'utf16le'), 'auto', 'utf-32le'],
    ['a NUL in the middle', Buffer.from('a,b\n1,\0 2\n'), 'auto', 'a file that is no text'],
    ['gzip that nobody announced', gzipSync('a,b\n1,2\n'), 'utf-8', 'packed (gzip)'],
    ['gzip as Latin-1', gzipSync('a,b\n1,2\n'), 'iso-8859-1', 'packed (gzip)'],
    ['a ZIP archive', Buffer.from('504b03040a00000000000000', 'hex'), 'auto', 'packed (a ZIP archive)'],
    ['Latin-1 under UTF-8', Buffer.from('café', 'latin1'), 'utf-8', 'windows-1252'],
  ])('is refused where nobody can know: %s', (_name, bytes, encoding, guess) => {
    expect(() => decodeText(bytes, encoding)).toThrow(
      expect.objectContaining({ code: 'wrong_encoding', message: expect.stringContaining(guess) }),
    );
  });

  it('JSON is UTF-8, whatever a server says of its texts', () => {
    for (const charset of ['iso-8859-1', 'windows-1252', 'us-ascii', 'utf-16', 'auto', 'utf-8'])
      expect(readJson(Buffer.from('{"a":"é€"}'), charset).data).toEqual({ a: 'é€' });
    expect(readJson(Buffer.from('{"a":"é"}', 'latin1'), 'iso-8859-1').data).toEqual({ a: 'é' });
    expect(readJson(Buffer.from('{"a":"é"}', 'utf16le'), 'utf-16le').data).toEqual({ a: 'é' });
    expect(() => readJson(Buffer.from('{"a":"é"}', 'latin1'), 'utf-8')).toThrow(/windows-1252/);
  });

  it('only what is certain counts against a name', () => {
    expect(actualEncoding(Buffer.from('abc'), 'iso-8859-1')).toBe('iso-8859-1');
    expect(actualEncoding(Buffer.from('\xe9\xc3\xa9', 'latin1'), 'iso-8859-1')).toBe('iso-8859-1');
    expect(actualEncoding(Buffer.from('é'), 'iso-8859-2')).toBe('iso-8859-2');
    expect(actualEncoding(Buffer.from('ab', 'utf16le'), 'utf-16')).toBe('utf-16');
    expect(declaredEncoding(Buffer.from('<a/>', 'utf16le'))).toBe('utf-16le');
    expect(declaredEncoding(marked([0xff, 0xfe, 0, 0], '', 'utf8'))).toBeUndefined();
  });
});
