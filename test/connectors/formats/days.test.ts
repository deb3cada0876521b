import { expect, it } from '@jest/globals';
import { convertText } from '../../../core/connector/convert';
import { parseFile } from '../../../connectors/formats/parse-file';
import { fileEndpoint } from './endpoint';

it.each([
  '2024-01-15',
  '2024-01-15T10:00:00Z',
  '2024-01-15 10:00',
  '2024-01-15T10:00:00.123+02:00',
  '2024-01-15Z',
  '2024-01-15-05:00',
])('%s is a day', (text) => {
  expect(convertText(` ${text} `, 'date')).toBe(text);
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

it('a day that cannot be read is a warning with its text', async () => {
  const endpoint = fileEndpoint({ parser: 'csv', fields: [{ field: 'd', paths: ['d'], type: 'date' }] });
  const parsed = await parseFile(endpoint, Buffer.from('d\n2024-01-15garbage\n2024-01-15\n'));
  expect(parsed.records).toEqual([{ d: null }, { d: '2024-01-15' }]);
  expect(parsed.warnings).toEqual([{ field: 'd', message: '`d` should be of type date, found `2024-01-15garbage`.' }]);
});
