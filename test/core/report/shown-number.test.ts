import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { shownNumber } from '../../../core/report/shown-number';
import { cellText, shownRows } from '../../../core/report/shown-rows';

describe('a number as people read it', () => {
  it.each([
    [1234567.891, '', '1,234,567.891'],
    [-1000, 'amount', '-1,000'],
    [999, '', '999'],
    [1e21, '', '1e+21'],
  ])('%d in "%s" is %s', (value, name, text) => {
    expect(shownNumber(value, name)).toBe(text);
  });

  it.each([
    'prior_year_revenue',
    'year_total',
    'priorYearRevenue',
    'revenue_current_year',
    'assets_end_of_year',
    'total_per_page',
    'Cost per id',
    'number_of_employees',
    'number_of_pages',
    'no_of_codes',
    'pages',
    'line_total',
    'idle',
    'paid',
    'period',
  ])('an amount in "%s" has separators', (name) => {
    expect(shownNumber(7073443, name)).toBe('7,073,443');
  });

  it.each([
    [201500, 'month', '201,500'],
    [201513, 'month', '201,513'],
    [201_512_311, 'period', '201,512,311'],
    [2015, 'fiscalyears', '2,015'],
    [1499, 'year', '1,499'],
    [3000, 'year', '3,000'],
  ])('%d in "%s" is no date: %s', (value, name, text) => {
    expect(shownNumber(value, name)).toBe(text);
  });

  it.each([
    [2015, 'tax_year'],
    [2015, 'taxYear'],
    [2015, 'taxyear'],
    [2015, 'Year'],
    [1978, 'year_founded'],
    [1978, 'year_of_birth'],
    [201412, 'tax_period'],
    [201503, 'month'],
    [201510, 'month'],
    [12345, 'per_number'],
    [20151231, 'filing date'],
    [200253310, 'ein'],
    [200253310, 'Filer EIN'],
    [91101, 'zipCode'],
    [91101, 'zip'],
    [12345, 'grant-id'],
    [12345, 'id_of_grant'],
    [12345, 'case.number'],
    [12345, 'case #'],
    [12345, 'page'],
    [12345678, 'account'],
    [4111, 'card'],
    [20251234, 'docket'],
    [100200300, 'order'],
  ])('%d in "%s" names something', (value, name) => {
    expect(shownNumber(value, name)).toBe(String(value));
    expect(cellText(String(value), { name, numeric: true })).toBe(String(value));
  });
});

describe('a text of digits', () => {
  const shown = (name: string, ...values: Json[]): string[] => {
    const { columns } = shownRows(values.map((value, no) => ({ [name]: value, no })));
    const column = columns.find((each) => each.name === name);
    if (column === undefined) throw new Error(`${name} is no column`);
    return values.map((value) => cellText(value, column));
  };

  it.each([
    ['account', ['12345678', '0012345']],
    ['card', ['4111111111111111', '4111']],
    ['docket', ['20251234', '20251235']],
    ['order', ['100200300', '1']],
    ['amount', ['9007199254740993', '1234.50']],
    ['title', ['1984', 'Nineteen Eighty-Four']],
    ['object_id', ['201521819349301232', '201612429349300846']],
    ['written', ['1,234', '5e10']],
  ])('in "%s" stays as it is written', (name, values) => {
    expect(shown(name, ...values)).toEqual(values);
  });

  it('stays so beside numbers, and where it is alike in all rows', () => {
    expect(shown('amount', '9007199254740993', 5000, '')).toEqual(['9007199254740993', '5,000', '']);
    expect(shownRows([{ docket: '20251234' }, { docket: '20251234' }]).same).toEqual([
      { name: 'docket', text: '20251234' },
    ]);
  });
});
