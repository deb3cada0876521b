import { describe, expect, it } from '@jest/globals';
import { visibleText } from '../../../core/report/visible-text';
import { fitTable, table } from '../../../cli/view/table';
import { textWidth } from '../../../cli/view/text-width';

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const ROWS = [
  [ID, 'complete', '3/3', 'largest-grants-of-every-year', '2026-11-29T10:00:00.000Z'],
  [ID.replace('0f8f', '1a2b'), 'needs_attention', '1/3', '発注者の名前', '2026-11-29T10:00:00.000Z'],
];

describe('a list on the command line', () => {
  it.each([20, 40, 60, 80, 120])('fits a width of %i', (width) => {
    for (const line of fitTable(ROWS, width, [{ id: true }]).lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
  });

  it('is whole where there is room', () => {
    expect(
      fitTable(
        [
          ['a', '1'],
          ['bb', '22'],
        ],
        40,
        [{}, { right: true }],
      ),
    ).toEqual({
      lines: ['a    1', 'bb  22'],
      shown: 2,
    });
  });

  it('cuts ids to beginnings that commands take, before any other column gives way', () => {
    const { lines, shown } = fitTable(ROWS, 94, [{ id: true }]);
    expect(shown).toBe(5);
    expect(lines[0]).toBe('0f8fad5b  complete         3/3  largest-grants-of-every-year  2026-11-29T10:00:00.000Z');
    expect(fitTable([[ID]], 80, [{ id: true }]).lines).toEqual([ID]);
  });

  it('keeps names whole as long as anything else can give way', () => {
    const looks = [{ id: true }, {}, {}, { whole: true }];
    expect(fitTable(ROWS, 70, looks).lines[0]).toBe(
      '0f8fad5b  complete     3/3  largest-grants-of-every-year  2026-11-29T…',
    );
    expect(fitTable(ROWS, 50, looks)).toMatchObject({ shown: 3 });
    expect(fitTable([['largest-grants-of-every-year']], 20, [{ whole: true }]).lines).toEqual(['largest-grants-of-e…']);
  });

  it('says how many columns have no room', () => {
    const before = process.env['COLUMNS'];
    process.env['COLUMNS'] = '30';
    try {
      expect(
        table(ROWS, [{ id: true }])
          .split('\n')
          .at(-1),
      ).toBe('(no room for 2 more columns: …');
    } finally {
      if (before === undefined) delete process.env['COLUMNS'];
      else process.env['COLUMNS'] = before;
    }
  });

  it('is one row a line, whatever a cell holds, without power over the terminal', () => {
    expect(fitTable([['a\nb\u001b[2J', 'c\u202e'], ['d']], 80).lines).toEqual(['a b\\u001b[2J  c\\u202e', 'd']);
    expect(visibleText('one\r\n\ttwo\u0007\u009b')).toBe('one\n\ttwo\\u0007\\u009b');
  });
});
