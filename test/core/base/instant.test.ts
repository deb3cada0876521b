import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isInstant } from '../../../core/base/instant';

it.each([
  ['2024-06-30T23:59:59Z', true],
  ['2024-02-29t00:00:00z', true],
  ['2024-02-29 12:00:00.123456789+05:30', true],
  ['2024-06-31T23:59:59Z', false],
  ['2023-02-29T00:00:00Z', false],
  ['2024-13-01T00:00:00Z', false],
  ['2024-01-01T24:00:00Z', false],
  ['2024-01-01T23:60:00Z', false],
  ['2024-01-01T23:59:60Z', false],
  ['2024-01-01T00:00:00+24:00', false],
  ['2024-01-01T00:00:00+05:60', false],
  ['2024-01-01T00:00:00', false],
  ['2024-01-01T00:00Z', false],
  ['2024-01-01', false],
  ['hello', false],
  ['', false],
])('%s: %s', (text, expected) => {
  expect(isInstant(text)).toBe(expected);
});

it('takes whatever a Date writes', () => {
  const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
  fc.assert(fc.property(fc.date(years), (date) => expect(isInstant(date.toISOString())).toBe(true)));
});
