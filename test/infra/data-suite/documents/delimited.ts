import { expect } from '@jest/globals';
import type { Json, JsonObject } from '../../../../core/base/json';
import { expectFault } from '../fault';
import type { Check } from '../row';
import { rows } from '../results';

export const DELIMITED = [
  'null.csv',
  'regulations_dot_gov_non_participating_agencies.csv',
  'semicolon-delimited.csv',
  'simple.psv',
  'skip_initials.csv',
  'spanish_chars.csv',
  'utf-16le_encoded.csv',
  'utf8bom.csv',
];

/** Encodings that the file itself shows: UTF-8, or a byte order mark. Others are named in the connector. */
const FOUND_OUT = ['ascii', 'utf-8', 'utf-8-sig', 'utf-16'];
const NAMES: Record<string, string> = { cp1252: 'windows-1252' };

export const delimited: Check = async ({ path, said, world }) => {
  const [given = '', delimiter = ''] = said.take(/encoding (\S+), delimiter '(.)'/);
  const encoding = FOUND_OUT.includes(given) ? 'auto' : (NAMES[given] ?? given);
  const records = rows(await world.file(path, { parser: 'csv', header: false, delimiter, encoding })).map(cellsOf);
  said.same(/(\d+) rows \(quoted newlines counted inside\)/, records.length);
  const widths = new Map<number, number>();
  records.forEach(({ length }) => widths.set(length, (widths.get(length) ?? 0) + 1));
  said.same(/row widths \{(.*?)\}/, [...widths].map(([width, count]) => `${width}: ${count}`).join(', '));
  const [first = ''] = said.take(/first row \[(.*)\]/);
  const cells = [...first.matchAll(/'([^']*)'/g)].map(([, cell = '']) => cell.trim());
  expect(records[0]?.slice(0, cells.length)).toEqual(cells);
};

/** Cells that are there: behind the last one stands null. */
function cellsOf({ file: _file, file_id: _id, ...cells }: JsonObject): Json[] {
  return Object.values(cells).filter((cell) => cell !== null);
}

/** Titles stand before the header, and the delimiter is another one than a first look finds. */
export const padded: Check = async ({ path, said, world }) => {
  said.take(
    /encoding utf-8, delimiter ',', 94 rows \(quoted newlines counted inside\), row widths \{1: 85, 0: 8, 5: 1\}; first row \[\]/,
  );
  await expectFault(world.file(path, { parser: 'csv', header: false }), { code: 'malformed_csv' });
  const records = rows(await world.file(path, { parser: 'csv', delimiter: ';', skip_lines: 11 }));
  expect(records[0]).toMatchObject({ column_1: 'Chirurgie (ohne Orthopädie) ...' });
};
