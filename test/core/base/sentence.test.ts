import { expect, it } from '@jest/globals';
import { sentence } from '../../../core/base/sentence';
import { parseCsvFile } from '../../../connectors/formats/text/csv-file';
import type { FileEndpoint } from '../../../core/connector/types';

it.each([
  ['Invalid quote at line 2.', 'Invalid quote at line 2.'],
  ['no connection', 'no connection.'],
  ['Really? ', 'Really?'],
  ['and so on…', 'and so on…'],
])('%j ends as %j', (text, ended) => {
  expect(sentence(text)).toBe(ended);
});

it('what another library says of a file ends once', () => {
  const endpoint: Partial<FileEndpoint> = { parser: 'csv' };
  expect(() => parseCsvFile(endpoint as FileEndpoint, 'a,b\n"x"y,1\n')).toThrow(/line 2[^.]*\.$/);
});
