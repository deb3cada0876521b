import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MultipartBody, type FormPart } from '../../../src/http/multipart-body';

const partsOf = (text: string | Buffer, type = 'multipart/form-data; boundary=b'): readonly FormPart[] =>
  new MultipartBody(type, Buffer.from(text), 10_000).parts();
const shown = (parts: readonly FormPart[]): unknown =>
  parts.map(({ content, ...part }) => ({ ...part, content: content.toString('utf8') }));
const part = (disposition: string, content = 'x', more = ''): string =>
  `--b\r\nContent-Disposition: ${disposition}${more}\r\n\r\n${content}\r\n`;

describe('a form', () => {
  it('is read as browsers write it, whatever its bytes and names', async () => {
    // Line ends of text fields are made CRLF by the form itself.
    const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((each) => !/[\r\n\\]|%0[ad]|%22/i.test(each));
    const fields = fc.array(
      fc.record({
        field: text.filter((each) => each !== ''),
        filename: fc.option(
          text.filter((each) => each !== ''),
          { nil: undefined },
        ),
        content: fc.uint8Array({ maxLength: 200 }),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(fields, async (sent) => {
        const form = new FormData();
        for (const { field, filename, content } of sent) {
          if (filename === undefined) form.append(field, 'a text');
          else form.append(field, new Blob([content]), filename);
        }
        const request = new Request('http://127.0.0.1/', { method: 'POST', body: form });
        const read = partsOf(Buffer.from(await request.arrayBuffer()), request.headers.get('content-type') ?? '');
        expect(read.map(({ content, ...each }) => ({ ...each, content: [...content] }))).toEqual(
          sent.map(({ field, filename, content }) =>
            filename === undefined
              ? { field: field, content: [...Buffer.from('a text')] }
              : { field: field, filename: filename, content: [...content] },
          ),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('may hold lines that begin like its boundary, and a preamble', () => {
    const content = 'a\r\n--bc\r\n--b \t x\r\n-b\r\n\r\n--';
    const text = `to be passed over\r\n${part('form-data; name="file"; filename="f"', content)}--b \r\nContent-Disposition: form-data; name=y\r\n\r\n\r\n--b--\r\nafter`;
    expect(shown(partsOf(text))).toEqual([
      { field: 'file', filename: 'f', content },
      { field: 'y', content: '' },
    ]);
  });

  it.each([
    ['form-data; name="file"; filename="a \\"b\\".txt"', 'a "b".txt'],
    ['form-data; name="file"; filename="%22a%22.txt"', '"a".txt'],
    ["form-data; name=file; filename=x; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt", 'naïve €.txt'],
    ['form-data; filename="name=no"; name="file"', 'name=no'],
    ['form-data; name="file"; filename=""', ''],
  ])('has a file by %s', (disposition, filename) => {
    expect(shown(partsOf(`${part(disposition)}--b--`))).toEqual([{ field: 'file', filename, content: 'x' }]);
  });

  it.each([
    ['multipart/form-data', '', 'name its boundary'],
    ['multipart/form-data; boundary=""', '', 'name its boundary'],
    [undefined, '', 'no part begins'],
    [undefined, part('form-data; name=a'), 'closing boundary'],
    [undefined, part('form-data; name=a').slice(0, -2), 'closing boundary'],
    [undefined, `${part('attachment; name=a')}--b--`, 'form-data'],
    [undefined, `${part('form-data; filename=a')}--b--`, 'part 1 has no name'],
    [undefined, `--b\r\nContent-Disposition: form-data; name=a\r\n--b--`, 'empty line'],
    [undefined, `--b\r\n${'x'.repeat(9_000)}\r\n\r\n\r\n--b--`, 'empty line'],
    [undefined, `${part('form-data; name=a', 'x', '\r\nContent-Transfer-Encoding: base64')}--b--`, 'base64'],
    [undefined, `${part('form-data; name=a').repeat(21)}--b--`, '20 parts'],
  ])('%s %j is none', (type, text, why) => {
    expect(() => partsOf(text, type)).toThrow(
      expect.objectContaining({ code: 'invalid_multipart', message: expect.stringContaining(why) }),
    );
  });

  it('ends with a line that is its last boundary, and with no other', () => {
    const content = 'a\r\n--b--c\r\nd';
    for (const end of ['', '\r\n', '\n', ' \t', ' \r\nafter'])
      expect(shown(partsOf(`${part('form-data; name=a', content)}--b--${end}`))).toEqual([{ field: 'a', content }]);
  });

  it('has heads of UTF-8', () => {
    const head = Buffer.concat([Buffer.from('--b\r\nContent-Disposition: form-data; name="'), Buffer.from([0xff])]);
    expect(() => partsOf(Buffer.concat([head, Buffer.from('"\r\n\r\n\r\n--b--')]))).toThrow(/UTF-8/);
  });
});
