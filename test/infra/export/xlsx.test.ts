import { describe, expect, it } from '@jest/globals';
import { CFB, read, utils } from '@e965/xlsx';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { alteredDetails, alteredRemark } from '../../../infra/export/altered-cells';
import { renderFile } from '../../../infra/export/render';
import { writeXlsx } from '../../../infra/export/xlsx';

const table = { columns: ['a'], rows: [[1]] };
const named = (...names: string[]) => read(writeXlsx(names.map((name) => ({ name, table }))).bytes).SheetNames;
const rowsOf = (bytes: Buffer, name: string) =>
  utils.sheet_to_json<string[]>(read(bytes).Sheets[name] ?? {}, { header: 1 });

describe('names of sheets', () => {
  it('are permitted and unique, whatever the case', () => {
    expect(named('Flags', 'flags', 'a/b:c', '', "'x'", 'y'.repeat(40))).toEqual([
      'Flags',
      'flags 2',
      'a b c',
      'Data',
      'x',
      'y'.repeat(31),
    ]);
    expect(named()).toEqual(['Data']);
    expect(named('Flags 2', 'Flags', 'FLAGS')).toEqual(['Flags 2', 'Flags', 'FLAGS 3']);
  });

  it('are none of the reserved ones, and leave the sheet of facts its name', () => {
    expect(named('History', 'HISTORY', "'history'")).toEqual(['History 2', 'HISTORY 3', 'history 4']);
    const sections = ['About', 'ABOUT', 'Rows'].map((title) => ({ title, value: [{ a: 1 }] }));
    const { bytes } = renderFile({ title: 'T', sections, meta: { runId: 'r' } }, 'xlsx');
    expect(read(bytes).SheetNames).toEqual(['About 2', 'ABOUT 3', 'Rows', 'About']);
    expect(rowsOf(bytes, 'About')).toEqual([
      ['report', 'T'],
      ['runId', 'r'],
    ]);
  });

  it('hold no half of a character, and no apostrophe where they are cut', () => {
    expect(named(`${'x'.repeat(30)}\u{1f600}`)).toEqual(['x'.repeat(30)]);
    expect(named(`${'x'.repeat(29)}\u{1f600}y`)).toEqual([`${'x'.repeat(29)}\u{1f600}`]);
    expect(named(`${'x'.repeat(30)}'yz`)).toEqual(['x'.repeat(30)]);
    const same = `${'x'.repeat(28)}\u{1f600}y`;
    expect(named(same, same)).toEqual([same, `${'x'.repeat(28)} 2`]);
  });

  it('can be written whatever the titles are', () => {
    const part = fc.constantFrom('History', 'about', "'", 'x', '\u{1f600}', ' ', '/', '2', 'y'.repeat(29), '\ud800');
    const title = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 6 }), (titles) => {
        const names = named(...titles);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(titles.length);
        for (const name of names) {
          expect(name).toMatch(/^(?!history$|about$|')[^:\\/?*[\]\p{C}]{1,31}(?<!')$/iu);
          expect(name.length).toBeLessThanOrEqual(31);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('texts that a cell does not hold', () => {
  const write = (...cells: Json[]) =>
    writeXlsx([{ name: 's', table: { columns: ['t'], rows: cells.map((c) => [c]) } }]);

  it('are told with their place: cut, and with characters of which XML has none', () => {
    const { bytes, altered } = write('a\u0000b\u0001', 'x'.repeat(40_000), 'x'.repeat(32_767), '_x0041_');
    const [, first, second, third] = rowsOf(bytes, 's');
    expect(first).toEqual(['a\ufffdb\ufffd']);
    expect(second?.[0]).toBe(`${'x'.repeat(32_766)}…`);
    expect(third).toEqual(['x'.repeat(32_767)]);
    expect(altered).toEqual([
      { sheet: 's', row: 2, column: 't', what: 'replaced', characters: 2 },
      { sheet: 's', row: 3, column: 't', what: 'cut', characters: 40_000 },
    ]);
    // The library's reader decodes twice, so the escape is looked up in the file itself (ECMA-376, 22.9.2.19).
    const parts = CFB.read(bytes, { type: 'buffer' });
    const sheet = parts.FileIndex[parts.FullPaths.findIndex((name: string) => name.endsWith('sheet1.xml'))];
    expect(Buffer.from((sheet?.content ?? []) as Uint8Array).toString('utf8')).toContain('<v>_x005F_x0041_</v>');
  });

  it('are cut between characters and escapes', () => {
    const long = [
      `${'x'.repeat(32_765)}\u{1f600}${'y'.repeat(9)}`,
      '_x0041_'.repeat(4_700),
      { list: 'z'.repeat(40_000) },
    ];
    const { bytes, altered } = write(...long);
    expect(altered.map(({ what }) => what)).toEqual(['cut', 'cut', 'cut']);
    const [, first, second] = rowsOf(bytes, 's');
    expect(first?.[0]).toBe(`${'x'.repeat(32_765)}…`);
    expect(second?.[0]?.length).toBeLessThanOrEqual(32_767);
    expect(second?.[0]).toMatch(/^[^\ud800-\udfff]*…$/u);
  });

  it('stand on the sheet of facts, of names of columns too, and in what the destination says', () => {
    const value = [{ t: 'x'.repeat(40_000), ['n'.repeat(33_000)]: 1 }];
    const { bytes, altered } = renderFile({ title: 'T', sections: [{ title: 'S', value }] }, 'xlsx');
    const lines = [
      `sheet S, row 1, column ${'n'.repeat(60)}…: cut, 33,000 characters are more than the 32,767 of a cell`,
      'sheet S, row 2, column t: cut, 40,000 characters are more than the 32,767 of a cell',
    ];
    expect(rowsOf(bytes, 'About')).toEqual([['report', 'T'], ...lines.map((line) => ['altered', line])]);
    const details = alteredDetails(altered);
    expect(details).toEqual({ altered: { count: 2, texts: lines } });
    expect(alteredRemark(details)).toMatchObject({
      code: 'cells_altered',
      message: expect.stringContaining('row 2, column t: cut, 40,000 characters'),
    });
    expect(alteredRemark({ size: 1 })).toEqual({});
    expect(renderFile({ title: 'T', sections: [{ title: 'S', value }] }, 'csv').altered).toBeUndefined();
  });

  it('are counted where they are many', () => {
    const value = Array.from({ length: 130 }, () => ({ t: '\u0001' }));
    const { bytes, altered } = renderFile({ title: 'T', sections: [{ title: 'S', value }] }, 'xlsx');
    expect(rowsOf(bytes, 'About').at(-1)).toEqual(['altered', 'and 30 more']);
    expect(alteredRemark(alteredDetails(altered)).message).toContain('; and 127 more.');
  });
});
