import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { entryOf, readArchive } from '../../../../connectors/formats/documents/archive';
import { dataBytes } from '../../../support/data-readme';
import { expectFault } from '../fault';
import type { Check } from '../row';
import { asText, rows } from '../results';

export const DOCX = ['docx-tables.docx', 'handbook-1p.docx', 'page-breaks.docx', 'teams_chat.docx', 'test.docx'];

export const docx: Check = async ({ path, said, world }) => {
  const part = async (list_element: string): Promise<JsonObject[]> =>
    rows(await world.file(path, { parser: 'docx', list_element }));
  const paragraphs = (await part('paragraphs')).map((paragraph) => asText(paragraph['text']));
  const tables = (await part('tables')).map((table) => table['rows'] as string[][]);
  const words = paragraphs.flatMap((text) => text.split(/\s+/).filter(Boolean));
  said.same(/(\d+) non-empty paragraphs, (\d+) words/, paragraphs.length, words.length);
  const shapes = tables.map((cells) => `(${cells.length}, ${cells[0]?.length})`).join(', ');
  said.same(/(\d+) tables \[(.*?)\]/, tables.length, shapes);
  // Pictures are no text: they are counted in the file itself.
  const body = entryOf(readArchive(dataBytes(path)), 'word/document.xml').toString();
  said.same(/(\d+) inline images/, body.match(/<wp:inline\b/g)?.length ?? 0);
  const [begins = ''] = said.take(/begins '(.*?)'(?=;|$)/);
  const first = letters(begins.replaceAll('\\n', '\n').replaceAll('\\t', '\t'));
  expect(letters(paragraphs[0] ?? '').slice(0, first.length)).toBe(first);
  const header = said.takeIfSaid(/header text \['(.*?)'\]/)?.[0];
  const headers = (await part('headers')).map((each) => each['text']);
  expect(header === undefined ? undefined : headers).toEqual(
    header === undefined ? undefined : expect.arrayContaining([header]),
  );
};

function letters(text: string): string {
  return text.replace(/\s+/g, '');
}

export const truncatedDocx: Check = async ({ path, said, world }) => {
  said.take(/not a readable zip; reader must report an error/);
  await expectFault(world.file(path, { parser: 'docx' }), { code: 'malformed_archive' });
};
