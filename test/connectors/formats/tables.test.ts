import { utils, write } from '@e965/xlsx';
import { describe, expect, it } from '@jest/globals';
import type { FileEndpoint } from '../../../core/connector/types';
import { readArchive } from '../../../connectors/formats/documents/archive';
import { parseFile } from '../../../connectors/formats/parse-file';
import type { ParsedFile } from '../../../connectors/formats/parsed-file';
import { fileEndpoint } from './endpoint';
import { zip } from './zip';

type Given = Partial<FileEndpoint> & Pick<FileEndpoint, 'parser'>;
const read = (given: Given, content: string | Uint8Array): Promise<ParsedFile> =>
  parseFile(fileEndpoint(given), typeof content === 'string' ? Buffer.from(content) : content);

describe('CSV and PSV', () => {
  it.each([
    ['pipes', { parser: 'csv', delimiter: '|' }, 'a|b\n1|"x|y"\n', [{ a: '1', b: 'x|y' }]],
    ['lines before the header', { parser: 'csv', skip_lines: 2 }, 'Title\n\na,b\n1,2\n', [{ a: '1', b: '2' }]],
    [
      'no header',
      { parser: 'csv', header: false },
      '1,2\n3\n4,5,6\n',
      [
        { 1: '1', 2: '2', 3: null },
        { 1: '3', 2: null, 3: null },
        { 1: '4', 2: '5', 3: '6' },
      ],
    ],
    ['a line that names the delimiter (findings/sep.csv)', { parser: 'csv' }, 'sep=;\na;b\n1;2', [{ a: '1', b: '2' }]],
    ['the same in quotes, behind a mark', { parser: 'csv' }, '\ufeff"sep=|"\r\na|b\r\n1|2\r\n', [{ a: '1', b: '2' }]],
    [
      'the same, skipped by the definition',
      { parser: 'csv', skip_lines: 1 },
      'SEP=\t\na\tb\n1\t2',
      [{ a: '1', b: '2' }],
    ],
    [
      'the same behind a line that the definition skips',
      { parser: 'csv', skip_lines: 1 },
      'Report of the day\r\nsep=;\r\na;b\r\n1;2',
      [{ a: '1', b: '2' }],
    ],
    ['a column called sep', { parser: 'csv' }, 'sep=,b\n1,2\n', [{ 'sep=': '1', b: '2' }]],
    ['columns of one name, and none', { parser: 'csv' }, 'a,,a\n1,2,3\n', [{ a: '1', column_2: '2', a_2: '3' }]],
    [
      'a column named like a prototype',
      { parser: 'csv' },
      '__proto__,a\nx,1\n',
      [JSON.parse('{"__proto__":"x","a":"1"}')],
    ],
  ] as [string, Given, string, object[]][])('%s', async (_name, given, text, records) => {
    const parsed = await read(given, text);
    expect(JSON.parse(JSON.stringify(parsed.records))).toEqual(JSON.parse(JSON.stringify(records)));
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each([
    ['windows-1252', Buffer.from('n\nDirecci\xf3n \x96 \x80\n', 'latin1'), 'Dirección – €'],
    ['auto', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('n\nž\n', 'utf16le')]), 'ž'],
    ['utf-16le', Buffer.from('n\nž\n', 'utf16le'), 'ž'],
    ['auto', Buffer.from('\ufeffn\né\n'), 'é'],
    ['shift_jis', Buffer.from([0x6e, 0x0a, 0x93, 0xfa, 0x0a]), '日'],
  ])('the encoding %s', async (encoding, bytes, text) => {
    expect((await read({ parser: 'csv', encoding }, bytes)).records).toEqual([{ n: text }]);
  });

  const wide = (text: string, littleEndian: boolean): Buffer => {
    const bytes = Buffer.alloc(text.length * 4);
    Array.from(text).forEach((letter, at) => {
      const code = letter.charCodeAt(0);
      if (littleEndian) bytes.writeUInt32LE(code, at * 4);
      else bytes.writeUInt32BE(code, at * 4);
    });
    return bytes;
  };
  const utf16 = Buffer.from('a,b\n1,x\n', 'utf16le');
  it.each([
    ['UTF-16 without a mark (findings/utf16nobom.csv)', 'auto', utf16, 'utf-16le'],
    ['the other order', 'auto', Buffer.from(utf16).swap16(), 'utf-16be'],
    ['UTF-32', 'auto', wide('a,b\n1,x\n', true), 'utf-32le'],
    ['UTF-32, the other order', 'auto', wide('a,b\n1,x\n', false), 'utf-32be'],
    ['UTF-32 with its mark', 'auto', wide('\ufeffa,b\n1,x\n', true), 'utf-32le'],
    ['UTF-32 that is said to be UTF-16', 'utf-16le', wide('a,b\n1,x\n', true), 'utf-32le'],
    ['ASCII that is said to be UTF-16', 'utf-16le', Buffer.from('a,b\n1,x\n'), 'utf-8'],
    ['a single zero', 'auto', Buffer.from('a,b\n1,\0\n'), 'no text'],
  ])('%s is refused', async (_name, encoding, bytes, guess) => {
    await expect(read({ parser: 'csv', encoding }, bytes)).rejects.toMatchObject({
      code: 'wrong_encoding',
      message: expect.stringContaining(guess),
    });
  });

  it('what is not UTF-8 is refused with its place and a guess', async () => {
    await expect(read({ parser: 'csv' }, Buffer.from('n\nabc\nM\xfcller\n', 'latin1'))).rejects.toMatchObject({
      code: 'wrong_encoding',
      message: expect.stringContaining('`windows-1252`'),
      place: { line: 3, column: 2 },
    });
    await expect(read({ parser: 'csv', encoding: 'bogus' }, 'n\n1\n')).rejects.toMatchObject({
      code: 'unknown_encoding',
    });
  });

  it('a row wider than the header is a fault with its line', async () => {
    await expect(read({ parser: 'csv' }, 'a,b\n1,2\n1,2,3\n')).rejects.toMatchObject({
      code: 'malformed_csv',
      place: { line: 3 },
    });
  });
});

describe('fixed width', () => {
  const fields = [
    { field: 'code', paths: ['code'], type: 'string' as const, start: 1, length: 3 },
    { field: 'amount', paths: ['amount'], type: 'number' as const, start: 4, length: 6 },
    { field: 'note', paths: ['note'], type: 'string' as const, start: 10, length: 20 },
  ];
  it('columns by place; short lines lack the last ones', async () => {
    const text = 'HEADER\r\nABC  1.50ünder\r\n\r\nDEF   2\r\nX\r\n';
    const parsed = await read({ parser: 'fixed_width', skip_lines: 1, fields }, text);
    expect(parsed.records).toEqual([
      { code: 'ABC', amount: 1.5, note: 'ünder' },
      { code: 'DEF', amount: 2, note: null },
      { code: 'X', amount: null, note: null },
    ]);
  });
  it('a value of another type is null and noted; a column without a place is refused', async () => {
    const parsed = await read({ parser: 'fixed_width', fields }, 'ABCxx\n');
    expect(parsed).toMatchObject({ records: [{ amount: null }], warnings: [{ field: 'amount' }] });
    const [first] = fields;
    const { start: _start, ...placeless } = first!;
    await expect(read({ parser: 'fixed_width', fields: [placeless] }, 'ABC\n')).rejects.toMatchObject({
      code: 'columns_not_found',
    });
  });
});

describe('workbooks', () => {
  const day = Date.UTC(2024, 1, 29);
  function workbook(bookType: 'xlsx' | 'xls' = 'xlsx'): Buffer {
    const book = utils.book_new();
    const sheet = utils.aoa_to_sheet([
      ['Name', 'Sum', 'Paid', 'When'],
      ['A', 1.5, true, null],
      [],
      ['B', 2, false, null],
    ]);
    sheet['D2'] = { t: 'n', v: (day - Date.UTC(1899, 11, 30)) / 86_400_000, z: 'yyyy-mm-dd' };
    sheet['D4'] = { t: 'n', v: 45351.75, z: 'yyyy-mm-dd hh:mm' };
    sheet['B5'] = { t: 'n', v: 3.5, f: 'SUM(B2:B4)' };
    sheet['!ref'] = 'A1:D5';
    utils.book_append_sheet(book, sheet, 'First');
    utils.book_append_sheet(book, utils.aoa_to_sheet([['x'], [1]]), 'Second sheet');
    return write(book, { type: 'buffer', bookType, compression: true }) as Buffer;
  }

  it.each(['xlsx', 'xls'] as const)(
    '%s: types, dates, the last value of a formula, empty rows left out',
    async (kind) => {
      const { records } = await read({ parser: 'xlsx' }, workbook(kind));
      expect(records).toEqual([
        { Name: 'A', Sum: 1.5, Paid: true, When: '2024-02-29' },
        { Name: 'B', Sum: 2, Paid: false, When: '2024-02-29T18:00:00Z' },
        { Name: null, Sum: 3.5, Paid: null, When: null },
      ]);
    },
  );

  it('sheets by name or number, with fields', async () => {
    const fields = [{ field: 'n', paths: ['X', 'x'], type: 'integer' as const }];
    for (const sheet of ['Second sheet', 2]) {
      expect((await read({ parser: 'xlsx', sheet, fields }, workbook())).records).toEqual([{ n: 1 }]);
    }
    await expect(read({ parser: 'xlsx', sheet: 'Third' }, workbook())).rejects.toMatchObject({
      code: 'sheet_not_found',
      message: expect.stringContaining('`Second sheet`'),
    });
    await expect(read({ parser: 'xlsx', fields }, workbook())).rejects.toMatchObject({ code: 'columns_not_found' });
  });

  it.each([
    ['cut off', workbook().subarray(0, 900), 'malformed_archive'],
    ['text', Buffer.from('a,b\n'), 'malformed_workbook'],
    ['with a name that leads elsewhere', zip([{ name: '../xl/workbook.xml', data: '<x/>' }]), 'unsafe_archive'],
    [
      'with entities',
      zip([{ name: 'xl/workbook.xml', data: '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>' }]),
      'xml_entities_refused',
    ],
    ['of other files', zip([{ name: 'x.txt', data: 'x' }]), 'malformed_workbook'],
  ])('a file %s is refused', async (_what, bytes, code) => {
    await expect(read({ parser: 'xlsx' }, bytes)).rejects.toMatchObject({ code });
  });

  it('a bomb is refused before the library sees it', async () => {
    const bomb = zip([{ name: 'xl/worksheets/sheet1.xml', data: Buffer.alloc(200 * 1024 * 1024) }]);
    await expect(read({ parser: 'xlsx' }, bomb)).rejects.toMatchObject({ code: 'archive_too_large' });
  });

  it('parts that say more together than may be unpacked are refused before one of them is', async () => {
    const size = 100 * 1024 * 1024;
    // Unpacked, each of them would turn out to be something else: `malformed_archive`.
    const parts = ['sheet1', 'sheet2', 'sheet3'].map((name) => ({
      name: `xl/worksheets/${name}.xml`,
      data: '<x/>',
      size,
    }));
    await expect(read({ parser: 'xlsx' }, zip(parts))).rejects.toMatchObject({ code: 'archive_too_large' });
    await expect(read({ parser: 'xlsx' }, zip(parts.slice(1)))).rejects.toMatchObject({ code: 'malformed_archive' });
  });

  it.each(['xlsx', 'xlsb', 'ods'] as const)(
    '%s: pictures of a workbook, macros and printer settings are never unpacked, whatever they say',
    async (bookType) => {
      const size = 120 * 1024 * 1024;
      const ballast = ['xl/media/a.png', 'Pictures/a.png', 'xl/vbaProject.bin', 'xl/printerSettings/p1.bin'].map(
        (name) => ({
          name,
          data: 'neither as large as it says, nor what it says',
          size,
          checksum: 1,
        }),
      );
      const book = utils.book_new(utils.aoa_to_sheet([['x'], [1]]));
      const written = write(book, { type: 'buffer', bookType }) as Buffer;
      const parts = readArchive(written).map((entry) => ({ name: entry.name, data: entry.read() }));
      const { records } = await read({ parser: 'xlsx' }, zip([...parts, ...ballast]));
      expect(records).toEqual([{ x: 1 }]);
    },
  );
});

describe('numbers and formulas of a workbook, as its XML has them', () => {
  const sheetOf = async (cells: string): Promise<ParsedFile> => {
    const empty = write(utils.book_new(utils.aoa_to_sheet([['x']])), { type: 'buffer' }) as Buffer;
    const rows = cells
      .split('\n')
      .map((cell, at) => `<row r="${at + 2}">${cell.replace('<c', `<c r="A${at + 2}"`)}</row>`);
    const head = '<row r="1"><c r="A1" t="str"><v>x</v></c><c r="B1" t="str"><v>y</v></c></row>';
    const xml = `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${head}${rows.join('')}</sheetData></worksheet>`;
    const parts = readArchive(empty).map(({ name, read: content }) => ({
      name,
      data: name === 'xl/worksheets/sheet1.xml' ? xml : content(),
    }));
    return read({ parser: 'xlsx' }, zip(parts));
  };
  const valueOf = async (cell: string): Promise<unknown> => (await sheetOf(cell)).records[0]?.['x'];

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['7615917337495251231', '7615917337495251231'],
    ['-9007199254740993', '-9007199254740993'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['1e400', '1e400'],
    ['9007199254740991', 9007199254740991],
    ['1.1000000000000001', 1.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['45351.57303240741', 45351.57303240741],
    ['1.2345678901234568E+17', 123456789012345680],
    ['42', 42],
  ])('%s is %p', async (written, expected) => {
    expect(await valueOf(`<c><v>${written}</v></c>`)).toBe(expected);
    expect(await valueOf(`<c t="n"><f>A9*1</f><v>${written}</v></c>`)).toBe(expected);
  });

  it('a text of digits is the text that it was, among letters of any alphabet', async () => {
    expect(await valueOf('<c t="str"><v>9007199254740993</v></c>')).toBe('9007199254740993');
    const { records } = await sheetOf(
      '<c t="inlineStr"><is><t>Straße 9007199254740993</t></is></c>\n<c><v>9007199254740993</v></c>',
    );
    expect(records.map(({ x }) => x)).toEqual(['Straße 9007199254740993', '9007199254740993']);
  });

  it('findings/mixed.xlsx: a formula without a value is a warning with cell and formula, and no empty cell', async () => {
    const { records, warnings } = await sheetOf(
      ['<c><f>A2*2</f><v></v></c>', '<c><f>1/0</f></c>', '<c><f>1+1</f><v>2</v></c>', '<c t="str"><f>""</f><v></v></c>']
        .map((cell) => `${cell}<c><v>1</v></c>`)
        .join('\n'),
    );
    expect(records.map(({ x }) => x)).toEqual([null, null, 2, '']);
    expect(warnings).toEqual([
      {
        field: 'A2',
        message:
          'The cell A2 holds the formula `=A2*2`, which was not calculated before the file was saved; it is null.',
      },
      {
        field: 'A3',
        message:
          'The cell A3 holds the formula `=1/0`, which was not calculated before the file was saved; it is null.',
      },
    ]);
  });
});

// findings/14-workbook-duration.md, findings/mixed.xlsx
describe('elapsed times of a workbook', () => {
  const book = (cells: Record<string, object>): Buffer =>
    Buffer.from(
      write(
        { SheetNames: ['S'], Sheets: { S: { '!ref': 'A1:A2', A1: { t: 's', v: 'x' }, ...cells } } },
        { type: 'buffer' },
      ),
    );
  it.each([
    [1.5, '[h]:mm:ss', '36:00:00'],
    [1.253472222222222, '[hh]:mm:ss', '30:05:00'],
    [1.5, '[m]', '36:00:00'],
    [1.5, '[ss]', '36:00:00'],
    [0.25, '[h]:mm', '06:00:00'],
    [1.5, 'h:mm:ss', '36:00:00'],
    [0.75, 'h:mm', '18:00:00'],
    [0.00001, '[s].00', '00:00:00.864'],
    [-0.5, '[h]:mm', '-12:00:00'],
    [45351, 'yyyy-mm-dd', '2024-02-29'],
    [45351.5, '[$-409]m/d/yy h:mm', '2024-02-29T12:00:00Z'],
    [45351.5, 'h:mm', '2024-02-29T12:00:00Z'],
    [1, 'yyyy-mm-dd', '1900-01-01'],
    [59, 'yyyy-mm-dd', '1900-02-28'],
    [61, 'yyyy-mm-dd', '1900-03-01'],
    // No day, and no time either.
    [60, 'yyyy-mm-dd', 60],
    [0, 'yyyy-mm-dd', 0],
    [0.5, 'yyyy-mm-dd', 0.5],
    [-1, 'yyyy-mm-dd', -1],
    [-0.5, 'h:mm', -0.5],
    [2958466, 'yyyy-mm-dd', 2958466],
    [0, 'h:mm', '00:00:00'],
    [0.5, 'yyyy-mm-dd h:mm', '12:00:00'],
    [0.0001, 'mm:ss.000', '00:00:08.640'],
    [45351.5000115, 'yyyy-mm-dd hh:mm:ss', '2024-02-29T12:00:01Z'],
    [45351.5000115, 'yyyy-mm-dd hh:mm:ss.000', '2024-02-29T12:00:00.994Z'],
    [45350.999999, 'yyyy-mm-dd hh:mm', '2024-02-29'],
    [45351, 'e"年"m"月"d"日"', '2024-02-29'],
    [45351, 'General"d"', 45351],
    [0.125, '0.0%', 0.125],
    [1234.5, '#,##0.00 "h"', 1234.5],
  ])('%d as %s is %s', async (v, z, expected) => {
    expect((await read({ parser: 'xlsx' }, book({ A2: { t: 'n', v, z } }))).records).toEqual([{ x: expected }]);
  });

  it.each([
    [0, 'yyyy-mm-dd', '1904-01-01'],
    [1, 'yyyy-mm-dd', '1904-01-02'],
    [60, 'yyyy-mm-dd', '1904-03-01'],
    [0.5, 'h:mm', '12:00:00'],
    [1.5, '[h]:mm', '36:00:00'],
  ])('of one whose days count from 1904: %d as %s is %s', async (v, z, expected) => {
    const sheets = { S: { '!ref': 'A1:A2', A1: { t: 's', v: 'x' }, A2: { t: 'n', v, z } } };
    const bytes = write(
      { SheetNames: ['S'], Sheets: sheets, Workbook: { WBProps: { date1904: true } } },
      {
        type: 'buffer',
      },
    );
    expect((await read({ parser: 'xlsx' }, Buffer.from(bytes))).records).toEqual([{ x: expected }]);
  });

  it.each(['biff8', 'ods', 'xlsb', 'xlsx'] as const)('in %s too', async (bookType) => {
    const cells = [
      { t: 's', v: 'x' },
      { t: 'n', v: 1.5, z: '[h]:mm:ss' },
      { t: 'n', v: 60, z: 'd/m/yyyy' },
    ];
    const sheet = Object.fromEntries([['!ref', 'A1:A3'], ...cells.map((cell, row) => [`A${row + 1}`, cell])]);
    const bytes = write({ SheetNames: ['S'], Sheets: { S: sheet } }, { type: 'buffer', bookType });
    expect((await read({ parser: 'xlsx' }, Buffer.from(bytes))).records).toEqual([{ x: '36:00:00' }, { x: 60 }]);
  });

  it('an ODS cell keeps a number that no double holds', async () => {
    const sheet = { '!ref': 'A1:A2', A1: { t: 's', v: 'x' }, A2: { t: 'n', v: 2 ** 53 } };
    const bytes = write({ SheetNames: ['S'], Sheets: { S: sheet } }, { type: 'buffer', bookType: 'ods' });
    expect((await read({ parser: 'xlsx' }, Buffer.from(bytes))).records).toEqual([{ x: '9007199254740992' }]);
  });

  it('a cell with an error is null, and a warning with its text', async () => {
    const { records, warnings } = await read(
      { parser: 'xlsx' },
      book({ A2: { t: 'e', v: 42 }, B2: { t: 'n', v: 1 }, '!ref': 'A1:B2' } as never),
    );
    expect(records).toEqual([{ x: null, column_2: 1 }]);
    expect(warnings).toEqual([{ field: 'A2', message: expect.stringContaining('#N/A') }]);
  });
});
