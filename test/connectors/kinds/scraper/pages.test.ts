import { describe, expect, it } from '@jest/globals';
import type { ScraperField } from '../../../../core/connector/types';
import { decodeHtml } from '../../../../connectors/kinds/scraper/decode-html';
import { parsePage } from '../../../../connectors/kinds/scraper/parse-page';
import type { ParsedPage } from '../../../../connectors/kinds/scraper/parsed-page';
import { selectorFault } from '../../../../connectors/kinds/scraper/selector-check';

const HTML = `<!doctype html><html><head><base href="/base/"><title>T</title><script>var evil = "<p class=row>";</script></head>
<body><table><tr class="row" id="r1"><td>A<br>B</td><td><a href="x?a=1&amp;b=2">link</a> <a href="https://other/">o</a></td><td>1,5</td><td>7</td></tr>
<tr class="row" id="r2"><td> C&nbsp; <span>D</span><script>no()</script></td><td></td><td></td><td>x</td></tr></table>
<a rel="next" href="?page=2#top">next</a><o:p bad"name="x">odd</o:p></body></html>`;

const field = (given: Partial<ScraperField> & { field: string }): ScraperField => ({
  multiple: false,
  type: 'string',
  ...given,
});
const page = (fields: ScraperField[], list: string | null = 'tr.row', html = HTML, follow?: string): ParsedPage =>
  parsePage({
    bytes: Buffer.from(html),
    contentType: 'text/html; charset=utf-8',
    url: 'https://example.org/list/',
    endpoint: {
      ...(list === null ? {} : { list_selector: list }),
      fields,
      ...(follow === undefined ? {} : { follow: { selector: follow, max_pages: 3 } }),
    },
  });

describe('fields of a page', () => {
  it.each([
    ['text, as a reader sees it', { selector: 'td' }, ['A B', 'C D']],
    ['an attribute, absolute', { selector: 'a', attribute: 'href' }, ['https://example.org/base/x?a=1&b=2', null]],
    [
      'several',
      { selector: 'a', attribute: 'href', multiple: true },
      [['https://example.org/base/x?a=1&b=2', 'https://other/'], []],
    ],
    ['a list by its type', { selector: 'a', type: 'array' }, [['link', 'o'], []]],
    ['a type', { selector: 'td:nth-child(4)', type: 'integer' }, [7, null]],
    ['the element itself', { selector: ':scope', attribute: 'id' }, ['r1', 'r2']],
    ['a child of it', { selector: ':scope > td:last-child' }, ['7', 'x']],
    ['an XPath', { xpath: 'td[2]/a[1]' }, ['link', null]],
    ['an XPath to an attribute', { xpath: 'td/a/@href' }, ['https://example.org/base/x?a=1&b=2', null]],
    ['an XPath that computes', { xpath: 'count(td)', type: 'integer' }, [4, 4]],
    ['an XPath with an attribute', { xpath: '.', attribute: 'ID' }, ['r1', 'r2']],
    ['an XPath up to the page', { xpath: '//title' }, ['T', 'T']],
    ['what is not there', { selector: '.none' }, [null, null]],
    ['an attribute that is not there', { selector: 'td', attribute: 'constructor' }, [null, null]],
  ] as [string, Partial<ScraperField>, unknown[]][])('%s', (_name, given, expected) => {
    expect(page([field({ field: 'f', ...given })]).records).toEqual(expected.map((f) => ({ f })));
  });

  it('a value of another type is null and noted, and so is what is nowhere', () => {
    const { warnings } = page([
      field({ field: 'n', selector: 'td:last-child', type: 'number' }),
      field({ field: 'none', selector: 'u' }),
    ]);
    expect(warnings.map((warning) => warning.field)).toEqual(['n', 'none']);
    expect(page([], 'li').warnings).toEqual([expect.objectContaining({ message: expect.stringContaining('li') })]);
  });

  it('without a list the page is one record; `follow` gives the next address', () => {
    const found = page([field({ field: 't', selector: 'title' })], null, HTML, 'a[rel=next]');
    expect(found).toMatchObject({ records: [{ t: 'T' }], next: 'https://example.org/base/?page=2' });
    expect(page([], null, '<a rel="next">n</a>', 'a[rel=next]').next).toBeUndefined();
  });

  it('deep and broken pages are read, odd names too', () => {
    const deep = `${'<div>'.repeat(2_000)}<p class="row">in</p>`;
    expect(page([field({ field: 'f', selector: ':scope' })], '.row', deep).records).toEqual([{ f: 'in' }]);
    expect(page([field({ field: 'f', xpath: '//o_p' })], null).records).toEqual([{ f: 'odd' }]);
  });

  it.each([['tr:nth-child('], ['tr[[']])('the selector %j is a fault with a code', (selector) => {
    expect(() => page([field({ field: 'f', selector })])).toThrow(expect.objectContaining({ code: 'selector_failed' }));
    expect(selectorFault(selector)).toBeDefined();
  });

  it.each(['a', ':is(a, b) > c', 'tr:has(> td a[href$=".pdf" i])', ':scope > td', 'td:contains("x")'])(
    'the selector %j is none',
    (selector) => {
      expect(selectorFault(selector)).toBeUndefined();
    },
  );
  it.each(['', `${':not('.repeat(5)}a${')'.repeat(5)}`, 'a'.repeat(501), ':has(a) '.repeat(5)])(
    'P10: the selector %j is refused',
    (selector) => {
      expect(selectorFault(selector)).toBeDefined();
    },
  );
});

describe('encodings of pages', () => {
  const bytes = (text: string, encoding: BufferEncoding = 'latin1'): Buffer => Buffer.from(text, encoding);
  it.each([
    ['the answer says it', bytes('<p>\xe9'), 'text/html; charset=ISO-8859-1', '<p>é'],
    [
      'the answer before the page',
      Buffer.from('<meta charset="koi8-r"><p>é'),
      'text/html;charset=utf-8',
      '<meta charset="koi8-r"><p>é',
    ],
    [
      'the page says it',
      bytes('<meta charset=windows-1251><p>\xc4\xe0'),
      'text/html',
      '<meta charset=windows-1251><p>Да',
    ],
    [
      'by http-equiv',
      bytes('<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">\x93\xfa'),
      '',
      '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">日',
    ],
    [
      'a byte order mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>ž', 'utf16le')]),
      'text/html; charset=utf-8',
      '<p>ž',
    ],
    ['no word of it: UTF-8', Buffer.from('<p>ž'), 'text/html', '<p>ž'],
    ['no word of it and not UTF-8', bytes('<p>caf\xe9'), 'text/html', '<p>café'],
    ['a name that nobody knows', Buffer.from('<p>ž'), 'text/html; charset=bogus', '<p>ž'],
    ['a server that says Latin-1 of everything', Buffer.from('<p>ž'), 'text/html; charset=ISO-8859-1', '<p>ž'],
    ['Latin-1', bytes('<p>caf\xe9'), 'text/html; charset=iso-8859-1', '<p>café'],
    ['one bad byte', bytes('<p>a\xff'), 'text/html; charset=utf-8', '<p>a\ufffd'],
  ])('%s', (_name, page_, contentType, text) => {
    expect(decodeHtml(page_, contentType).text).toBe(text);
  });

  it('that was guessed is a warning', () => {
    const [warning, ...others] = parsePage({
      bytes: bytes('<p>caf\xe9'),
      contentType: 'text/html',
      url: 'https://example.org/',
      endpoint: { fields: [{ field: 'p', selector: 'p', multiple: false, type: 'string' }] },
    }).warnings;
    expect([warning?.message, others]).toEqual([expect.stringContaining('read as `windows-1252`'), []]);
  });
});
