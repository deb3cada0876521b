import { describe, expect, it } from '@jest/globals';
import { rowsText } from '../../../cli/view/rows-text';
import { cutTo, plainText, textWidth } from '../../../cli/view/text-width';

const FLAGS = [
  { flag: 'pay', year: 2015, person: 'Jennifer DeVoll', amount: 171617, percent: 3.01, ein: '200253310' },
  { flag: 'pay', year: 2016, person: 'Jennifer DeVoll', amount: 192341, percent: 4.62, ein: '200253310' },
  { flag: 'fall', year: 2016, person: null, amount: 7073443, percent: -31.4, ein: '200253310' },
];

describe('rows on the command line', () => {
  it('are a table of the columns that differ; numbers have separators and stand right', () => {
    expect(rowsText(FLAGS, { width: 80, most: 8 })).toEqual([
      '    flag  year  person              amount  percent',
      '    pay   2015  Jennifer DeVoll    171,617     3.01',
      '    pay   2016  Jennifer DeVoll    192,341     4.62',
      '    fall  2016                   7,073,443    -31.4',
      '    in all rows: ein 200253310',
    ]);
  });

  it.each([20, 30, 40, 60, 80, 200])('fit a width of %i', (width) => {
    const wide = FLAGS.map((row) => ({
      ...row,
      title: '発注者の名前 '.repeat(12),
      '❤ note': 'x'.repeat(90) + row.amount,
    }));
    for (const rows of [wide, wide.slice(0, 1)])
      for (const line of rowsText(rows, { width, most: 8, total: 3 }))
        expect(textWidth(line)).toBeLessThanOrEqual(width);
    const narrow = rowsText(wide, { width: 30, most: 2, total: 900 }).join('\n');
    expect(narrow).toContain('no room for: ');
    expect(narrow).toContain('… 900 rows in all');
  });

  it('one row is a field a line', () => {
    expect(rowsText([{ to: 'Ada', total: 1234 }], { width: 40, most: 8 })).toEqual([
      '    to     Ada',
      '    total  1,234',
    ]);
  });

  it('have no power over the terminal', () => {
    const evil = '\u001b[2J\u202eevil\r\nnext';
    const [, line] = rowsText([{ a: evil }, { a: 'b' }], { width: 80, most: 8 });
    expect(line).toBe('    \\u001b[2J\\u202eevil next');
    expect(plainText('\u0007')).toBe('\\u0007');
  });

  it('are cut by what is seen, not by letters', () => {
    expect(cutTo('日本語テキスト', 7)).toBe('日本語…');
    expect(textWidth('e\u0301')).toBe(1);
  });
});
