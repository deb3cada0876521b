import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addDays, daysBetween, isDate } from '../../../core/base/calendar';

const DAY = 86_400_000;
/** Any date of the years 1 to 9999 as text, made by the platform's own calendar. */
const anyDate = fc
  .integer({ min: -719_162, max: 2_932_896 })
  .map((day) => new Date(day * DAY).toISOString().slice(0, 10));

describe('isDate', () => {
  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2023-04-30', '1970-01-01'])('%s is one', (text) => {
    expect(isDate(text)).toBe(true);
  });

  it.each([
    '',
    '2023-02-29',
    '1900-02-29',
    '2023-04-31',
    '2023-00-10',
    '2023-13-01',
    '2023-01-00',
    '2023-01-32',
    '0000-01-01',
    '2023-1-01',
    '2023/01/01',
    '2023-01-01T00:00:00Z',
    ' 2023-01-01',
    '+023-01-01',
    '２０２３-01-01',
    '2023-01-0x',
    'today',
  ])('%p is none', (text) => {
    expect(isDate(text)).toBe(false);
  });

  it('knows exactly the dates of the platform', () => {
    fc.assert(fc.property(anyDate, (date) => expect(isDate(date)).toBe(true)));
    const parts = fc.tuple(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    );
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const text = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join(
          '-',
        );
        const time = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
        expect(isDate(text)).toBe(exists);
      }),
    );
  });
});

describe('addDays', () => {
  it.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2000-02-28', 1, '2000-02-29'],
    ['2400-02-28', 1, '2400-02-29'],
    ['2024-02-28', 2, '2024-03-01'],
    ['2023-02-28', 1, '2023-03-01'],
    ['2024-03-01', -1, '2024-02-29'],
    ['2024-12-31', 1, '2025-01-01'],
    ['2025-01-01', -1, '2024-12-31'],
    ['2024-03-31', -31, '2024-02-29'],
    ['2000-02-29', 366, '2001-03-01'],
    ['1900-02-28', 1, '1900-03-01'],
    ['2024-05-05', 0, '2024-05-05'],
    ['2024-05-05', -36_500, '1924-05-30'],
    ['0001-01-01', 0, '0001-01-01'],
    ['9999-12-31', 0, '9999-12-31'],
  ])('%s plus %d days is %s', (date, days, result) => {
    expect(addDays(date, days)).toBe(result);
  });

  it.each([
    ['2024-02-30', 1],
    ['yesterday', 1],
    ['2024-02-28', 0.5],
    ['2024-02-28', Number.NaN],
    ['2024-02-28', Number.POSITIVE_INFINITY],
    ['9999-12-31', 1],
    ['0001-01-01', -1],
    ['2024-02-28', 1e15],
  ])('%s plus %d days is not defined', (date, days) => {
    expect(addDays(date, days)).toBeUndefined();
  });

  it('agrees with the platform and can be undone', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
        const result = addDays(date, days);
        const expected = new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY);
        if (result === undefined) {
          expect(expected.getUTCFullYear() < 1 || expected.getUTCFullYear() > 9999).toBe(true);
        } else {
          expect(result).toBe(expected.toISOString().slice(0, 10));
          expect(addDays(result, -days)).toBe(date);
          expect(daysBetween(date, result)).toBe(days + 0);
        }
      }),
    );
  });
});

describe('daysBetween', () => {
  it.each([
    ['2024-02-28', '2024-03-01', 2],
    ['2023-02-28', '2023-03-01', 1],
    ['2024-03-01', '2024-02-28', -2],
    ['2024-03-01', '2024-03-01', 0],
    ['0001-01-01', '9999-12-31', 3_652_058],
  ])('from %s to %s is %d', (from, to, days) => {
    expect(daysBetween(from, to)).toBe(days);
  });

  it('is not defined without two dates', () => {
    expect(daysBetween('2024-02-30', '2024-03-01')).toBeUndefined();
    expect(daysBetween('2024-03-01', '')).toBeUndefined();
  });
});
