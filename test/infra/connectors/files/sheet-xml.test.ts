import { describe, expect, it } from '@jest/globals';
import { hasUncomputed, withKeptNumbers } from '../../../../infra/connectors/files/sheet-xml';

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
      expect(hasUncomputed(Buffer.from(xml))).toBe(true);
    expect(hasUncomputed(Buffer.from('<c><f>A1</f><v>1</v></c>'))).toBe(false);
    expect(hasUncomputed(Buffer.from(`<c><f>A1</f>${' '.repeat(1_000_000)}<x/></c>`))).toBe(false);
  });
});
