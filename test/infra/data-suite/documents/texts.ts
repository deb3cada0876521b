import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import type { Check, Row } from '../row';
import { asText, list, one } from '../results';

export const ENCODED = [
  'enc_Big5_0804.blogspot.com.xml',
  'enc_EUC-KR_acnnewswire.net.xml',
  'enc_GB2312_14.blog.westca.com.xml',
  'enc_KOI8-R_aif.ru.health.xml',
  'enc_SHIFT_JIS_10e.org.xml',
  'enc_iso-8859-2-hungarian__ude_1.txt',
  'enc_iso-8859-7-greek__ude_1.txt',
  'enc_windows-1251-russian_aif.ru.health.xml',
  'enc_windows-1255-hebrew__ude_he2.txt',
];
export const HTML = ['NextPoint.8K.html', 'example-10k-1p.html', 'example-with-scripts.html', 'test_blog.html'];
export const PLAIN = ['BillEndpoint.md', 'CommitteeEndpoint.md', 'fake-text-utf-16-le.txt', 'norwich-city.txt'];

/** Mail addresses in this one were replaced by shorter ones after its characters had been counted. */
const CHARACTERS: Record<string, number> = { 'documents/enc_EUC-KR_acnnewswire.net.xml': 8443 };

/** The text as an answer in that encoding. */
async function textOf({ path, world }: Row, charset: string): Promise<string> {
  return asText(one(await world.api(path, { format: 'text', type: `text/plain; charset=${charset}` }))['text']);
}

export const encoded: Check = async (row) => {
  const [charset = '', characters] = row.said.take(/decodes as (\S+) without error, (\d+) characters/);
  expect((await textOf(row, charset)).length).toBe(CHARACTERS[row.path] ?? Number(characters));
};

export const plain: Check = async (row) => {
  const { said, path } = row;
  const text = await textOf(row, path.includes('utf-16-le') ? 'utf-16le' : 'utf-8');
  const lines = linesOf(text);
  said.same(/(\d+) characters, (\d+) lines/, text.length, lines.length);
  if (path.endsWith('.md')) {
    const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
    said.same(
      /(\d+) headings, (\d+) code fences, (\d+) table lines/,
      count(/^#{1,6} /),
      count(/^```/),
      count(/^\s*\|/),
    );
  }
};

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

export const html: Check = async (row) => {
  const { said, path, world } = row;
  const text = await textOf(row, 'utf-8');
  said.same(/(\d+) characters, (\d+) lines/, text.length, linesOf(text).length);
  const all = (field: string, selector: string): JsonObject => ({ field, selector, multiple: true });
  const fields = [
    { field: 'title', selector: 'title' },
    all('p', 'p'),
    all('tables', 'table'),
    all('headings', 'h1, h2, h3, h4, h5, h6'),
  ];
  const page = one(await world.page(path, { fields }));
  const [title = ''] = said.take(/title '(.*?)'(?=, \d+ p)/);
  expect(asText(page['title'] ?? '').slice(0, title.length)).toBe(title);
  said.same(
    /(\d+) p, (\d+) tables, (\d+) headings/,
    list(page['p']).length,
    list(page['tables']).length,
    list(page['headings']).length,
  );
};
