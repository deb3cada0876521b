import { utils, write } from '@e965/xlsx';
import { expect, it } from '@jest/globals';
import { convertText, dayOf } from '../../../core/connector/convert';
import { parseFile } from '../../../connectors/formats/parse-file';
import { fileEndpoint } from './endpoint';

it.each([
  '2024-01-15',
  '2024-01-15T10:00:00Z',
  '2024-01-15 10:00',
  '2024-01-15T10:00:00.123+02:00',
  '2024-01-15Z',
  '2024-01-15-05:00',
  '2024-01-15T23:30:00-05:00',
  '2024-01-15t00:30:00.123456789+14:00',
])('%s names its day, in files as in parameters', (text) => {
  expect(convertText(` ${text} `, 'date')).toBe('2024-01-15');
  expect(dayOf(text)).toBe('2024-01-15');
});

it.each([
  '2024-01-15garbage',
  '2024-01-15 (est.)',
  '2024-01-15T25:00',
  '2024-01-15 10',
  '2024-01-151',
  '2024-01-15/2024-02-01',
  '2024-02-30',
])('%s begins like one and is none', (text) => {
  expect(convertText(text, 'date')).toBeUndefined();
});

it.each([
  ['csv', 'd\n2024-02-29T23:30:00-05:00\n2024-02-29 10:00\n2024-02-29 10\n'],
  ['json', '[{"d":"2024-02-29T23:30:00-05:00"},{"d":"2024-02-29 10:00"},{"d":"2024-02-29 10"}]'],
  ['xml', '<a><r><d>2024-02-29T23:30:00-05:00</d></r><r><d>2024-02-29 10:00</d></r><r><d>2024-02-29 10</d></r></a>'],
] as const)('of %s, instants give their day and what is neither is told', async (parser, text) => {
  const list = parser === 'xml' ? { list_element: ['//r'] } : {};
  const endpoint = fileEndpoint({ parser, fields: [{ field: 'd', paths: ['d'], type: 'date' }], ...list });
  const parsed = await parseFile(endpoint, Buffer.from(text));
  expect(parsed.records).toEqual([{ d: '2024-02-29' }, { d: '2024-02-29' }, { d: null }]);
  expect(parsed.warnings).toEqual([expect.objectContaining({ field: 'd' })]);
});

it('of a workbook, a date with a time gives its day', async () => {
  const sheet = utils.aoa_to_sheet([['d'], [new Date(Date.UTC(2023, 2, 15, 23, 59, 59))]], { UTC: true });
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'S');
  const bytes = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
  const endpoint = fileEndpoint({ parser: 'xlsx', fields: [{ field: 'd', paths: ['d'], type: 'date' }] });
  expect(await parseFile(endpoint, bytes)).toMatchObject({ records: [{ d: '2023-03-15' }], warnings: [] });
  const asTime = fileEndpoint({ parser: 'xlsx', fields: [{ field: 'd', paths: ['d'], type: 'datetime' }] });
  expect((await parseFile(asTime, bytes)).records).toEqual([{ d: '2023-03-15T23:59:59Z' }]);
});

it('a day that cannot be read is a warning with its text', async () => {
  const endpoint = fileEndpoint({ parser: 'csv', fields: [{ field: 'd', paths: ['d'], type: 'date' }] });
  const parsed = await parseFile(endpoint, Buffer.from('d\n2024-01-15garbage\n2024-01-15\n'));
  expect(parsed.records).toEqual([{ d: null }, { d: '2024-01-15' }]);
  expect(parsed.warnings).toEqual([{ field: 'd', message: '`d` should be of type date, found `2024-01-15garbage`.' }]);
});
