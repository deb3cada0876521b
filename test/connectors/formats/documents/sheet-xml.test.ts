import { describe, expect, it } from '@jest/globals';
import { hasUncomputedCells, withKeptCells, withKeptNumbers } from '../../../../connectors/formats/documents/sheet-xml';

const kept = (xml: string): string => withKeptNumbers(Buffer.from(xml)).toString();

describe('XML of a sheet', () => {
  it('has a number that no double holds as the text of its own cell', () => {
    const long = '12345678901234567890';
    expect(kept(`<row><c r="A1"><v>${long}</v></c><c r="B1" t="n"><v>${long}</v></c></row>`)).toBe(
      `<row><c r="A1" t="str"><v>${long}</v></c><c r="B1" t="str"><v>${long}</v></c></row>`,
    );
    for (const other of [`<v>${long}</v>`, `<c r="A1"/><x><v>1</v></x><c t="s"><v>${long}</v></c>`])
      expect(kept(other)).toBe(other);
    expect(kept(`<c><v>${long}</v></c><v>${long}</v>`)).toBe(`<c t="str"><v>${long}</v></c><v>${long}</v>`);
  });

  it('without any cell is read once, however many numbers it has', () => {
    const values = '<v>12345678901234567890</v>'.repeat(400_000);
    expect(kept(values)).toHaveLength(values.length);
  });

  it('tells a formula without a value, however much white space stands behind it', () => {
    for (const xml of ['<c><f>A1</f></c>', '<c><f>A1</f> <v/> </c>', '<x:c><x:f si="0"/><x:v> </x:v></x:c>'])
      expect(hasUncomputedCells(Buffer.from(xml))).toBe(true);
    expect(hasUncomputedCells(Buffer.from('<c><f>A1</f><v>1</v></c>'))).toBe(false);
    expect(hasUncomputedCells(Buffer.from(`<c><f>A1</f>${' '.repeat(1_000_000)}<x/></c>`))).toBe(false);
  });

  it('of an ODS file has such a number as the text of its own cell', () => {
    const cell = (type: string, value: string, more = '') =>
      `<table:table-cell${more} office:value-type="${type}" office:value="${value}"><text:p>shown</text:p></table:table-cell>`;
    const text = (value: string) =>
      `<table:table-cell office:value-type="string" office:string-value="${value}"><text:p>shown</text:p></table:table-cell>`;
    for (const value of ['9007199254740993', '-12345678901234567.89', '1e400'])
      for (const type of ['float', 'percentage', 'currency'])
        expect(withKeptCells(Buffer.from(cell(type, value))).toString()).toBe(text(value));
    for (const value of ['1.1000000000000001', '0.1', '1e300', '123456789012345'])
      expect(withKeptCells(Buffer.from(cell('float', value))).toString()).toBe(cell('float', value));
    expect(withKeptCells(Buffer.from('<a>'.repeat(100_000)))).toHaveLength(300_000);
  });
});
