import { expect } from '@jest/globals';
import type { Json, JsonObject } from '../../../../core/base/json';
import { entryOf, readArchive } from '../../../../connectors/formats/documents/archive';
import { openWorkbook } from '../../../../connectors/formats/documents/workbook';
import { dataBytes } from '../../../support/data-readme';
import type { Check } from '../row';
import { asText, rows } from '../results';

export const WORKBOOKS = [
  '2023-half-year-analyses-by-segment.xlsx',
  'donations.xlsx',
  'empty.xlsx',
  'more-than-1k-cells.xlsx',
  'simple.xlsx',
];

export const workbook: Check = async ({ path, said, world }) => {
  const book = openWorkbook(dataBytes(path));
  said.same(/(\d+) sheets/, book.names.length);
  const [sheets = ''] = said.take(/first ones \[(.*?)\](?=;)/);
  for (const [, name = '', height, width] of sheets.matchAll(/\('([^']*)', (\d+), (\d+)\)/g)) {
    const used = book.sheet(name).rows;
    // A sheet without a cell has no size; the description counts its first one.
    expect([name, used.length || 1, used[0]?.length || 1]).toEqual([name, Number(height), Number(width)]);
    const filled = used.filter((row) => row.some((cell) => cell !== null));
    const records = rows(await world.file(path, { parser: 'xlsx', sheet: name, header: false }));
    expect(records.map(cellsOf)).toEqual(filled.map((row) => row.map(trimmed)));
  }
  const [listed = ''] = said.take(/first values \[(.*?)\](?=;)/);
  const first = [...listed.matchAll(/'([^']*)'/g)].map(([, value = '']) => value.replace(/ 00:00:00$/, ''));
  const cells = book
    .sheet(1)
    .rows.flat()
    .filter((cell) => cell !== null);
  expect(cells.slice(0, first.length).map((cell) => asText(cell).replaceAll('\n', '\\n'))).toEqual(first);
  // Merged cells are layout: they are counted in the file itself.
  const sheet = entryOf(readArchive(dataBytes(path)), 'xl/worksheets/sheet1.xml').toString();
  said.same(/merged ranges on sheet 1: (\d+)/, sheet.match(/<mergeCell\b/g)?.length ?? 0);
};

/** Texts come without blanks around them. */
function trimmed(cell: Json): Json {
  return typeof cell === 'string' ? cell.trim() : cell;
}

function cellsOf({ file: _file, file_id: _id, ...cells }: JsonObject): Json[] {
  return Object.values(cells);
}

/** The description knows the kind of container alone; ours reads it. */
export const container: Check = async ({ path, said, world }) => {
  const [kind = ''] = said.take(/^(OLE2|zip) container/);
  const magic = { OLE2: 'd0cf11e0', zip: '504b0304' }[kind];
  expect(dataBytes(path).subarray(0, 4).toString('hex')).toBe(magic);
  const records = rows(await world.file(path, { parser: 'xlsx', header: false }));
  expect(records.flatMap(cellsOf).filter((cell) => cell !== null).length).toBeGreaterThan(0);
};
