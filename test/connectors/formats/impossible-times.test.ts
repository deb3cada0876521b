import { expect, it } from '@jest/globals';
import { convertJson, convertText } from '../../../core/connector/convert';
import { valueFault } from '../../../core/connector/types/rest-parameters';

it.each([
  '2024-06-31T23:59:59Z',
  '2024-02-30T00:00:00Z',
  '2023-02-29T12:00:00+01:00',
  '2024-13-01T00:00:00Z',
  '2024-01-01T25:61:00Z',
  '2024-01-01T24:00:00Z',
  '2024-01-01T00:00:00+99:99',
])('%s is no instant, in files, answers and parameters: another day would be sent or kept', (text) => {
  expect(convertText(text, 'datetime')).toBeUndefined();
  expect(convertJson(text, 'datetime')).toBeUndefined();
  expect(valueFault(text, 'datetime')).toContain('must be');
});

it('an instant that there is stays what it is', () => {
  expect(convertText('2024-02-29T23:59:59+01:00', 'datetime')).toBe('2024-02-29T22:59:59Z');
  expect(valueFault('2024-02-29T23:59:59+01:00', 'datetime')).toBeUndefined();
});
