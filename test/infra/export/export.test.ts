import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeCsv } from '../../../infra/export/csv';
import { exportFile, exportName } from '../../../infra/export/file-export';
import { renderFile } from '../../../infra/export/render';
import { writeXlsx } from '../../../infra/export/xlsx';
import { newFolder } from '../../support/run-folder';

const FORMULAS = ['=1+1', '+A1', '-1-1', '@SUM(A1)', '\tx', '\rx'];

describe('P11: exports hold no formula', () => {
  it('quotes them, keeps numbers, and reads back as written', () => {
    const rows = FORMULAS.map((text, at) => [text, -at - 0.5, at % 2 === 0]);
    const back = parse(writeCsv({ columns: ['=text', 'number', '-5'], rows }));
    expect(back[0]).toEqual(["'=text", 'number', '-5']);
    expect(back.slice(1)).toEqual(FORMULAS.map((text, at) => [`'${text}`, String(-at - 0.5), String(at % 2 === 0)]));
  });

  it('no text of any kind begins like one', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), (cells) => {
        const [, back] = parse(writeCsv({ columns: cells.map((_cell, at) => `c${at}`), rows: [cells] }), {
          skip_empty_lines: false,
          relax_column_count: true,
        });
        for (const cell of back ?? []) {
          expect(cell).not.toMatch(/^(?:[=@\t\r]|[+-](?! ?\p{Sc}?[\d., ]))/u);
        }
      }),
      { numRuns: 30 },
    );
  });
});

// findings/37-apostrophe-before-negative-amounts.md
it('puts nothing before amounts and phone numbers, in CSV and in XLSX', () => {
  const report = { title: '', sections: [{ title: '', value: [{ amt: '-250.00', tel: '+49 30' }] }] };
  expect(renderFile(report, 'csv').bytes.toString('utf8')).toBe('amt,tel\n-250.00,+49 30\n');
  const sheet = read(renderFile(report, 'xlsx').bytes).Sheets['Data'] ?? {};
  expect(sheet).toMatchObject({ A2: { t: 's', v: '-250.00' }, B2: { t: 's', v: '+49 30' } });
});

it('text cells of XLSX are text, column names too, with nothing before them', () => {
  const rows = FORMULAS.map((text) => [text, -1.5, false, null]);
  const { bytes } = writeXlsx([{ name: 'a', table: { columns: ['=t', 'n', 'b', 'none'], rows } }]);
  const sheet = read(bytes, { cellFormula: true }).Sheets['a'] ?? {};
  expect(sheet['A1']).toMatchObject({ t: 's', v: '=t' });
  FORMULAS.forEach((text, at) => {
    expect(sheet[`A${at + 2}`]).toMatchObject({ t: 's', v: text });
    expect(sheet[`A${at + 2}`]).not.toHaveProperty('f');
    expect(sheet[`B${at + 2}`]).toMatchObject({ t: 'n', v: -1.5 });
    expect(sheet[`C${at + 2}`]).toMatchObject({ t: 'b', v: false });
  });
});

describe('renderFile', () => {
  const report = {
    title: 'T',
    sections: [
      { title: 'A', value: [{ x: 1 }] },
      { title: 'B', value: [{ y: 'z' }] },
    ],
  };
  it.each([
    ['markdown', '.md', '# T\n\n## A'],
    ['json', '.json', '{\n  "title": "T"'],
    ['structured', '.json', '{\n  "title": "T"'],
    ['csv', '.csv', 'section,x,y\nA,1,\nB,,z\n'],
  ])('%s', (format, extension, start) => {
    const file = renderFile(report, format);
    expect(file.extension).toBe(extension);
    expect(file.bytes.toString('utf8').startsWith(start)).toBe(true);
  });
  it('writes a sheet for each section, and names a section as the data do not', () => {
    const own = { title: 'B', value: [{ section: 's' }] };
    const text = renderFile({ ...report, sections: [...report.sections, own] }, 'csv').bytes.toString('utf8');
    expect(text.split('\n')[0]).toBe('section_2,x,y,section');
    expect(read(renderFile(report, 'xlsx').bytes).SheetNames).toEqual(['A', 'B']);
  });
  it('refuses what it cannot write', () => {
    expect(() => renderFile(report, 'pdf')).toThrow(expect.objectContaining({ code: 'unknown_format' }));
    let deep: unknown[] = [];
    for (let at = 0; at < 100_000; at += 1) {
      deep = [deep];
    }
    expect(() => renderFile({ title: '', sections: [{ title: '', value: deep as never }] }, 'json')).toThrow(
      expect.objectContaining({ code: 'render_failed' }),
    );
  });
});

describe('exportFile', () => {
  let directory: string;
  beforeAll(async () => {
    directory = newFolder('export-test');
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const write = (effectKey: string, fileName: string, text: string, into = directory) =>
    exportFile({ directory: into, effectKey, fileName, bytes: Buffer.from(text) });

  it('replaces its own file and no other', async () => {
    const first = await write('r/a', 'report.md', 'one');
    expect(await write('r/a', 'report.md', 'two')).toBe(first);
    const other = await write('r/b', 'report.md', 'three');
    expect(await readFile(first, 'utf8')).toBe('two');
    expect(await readFile(other, 'utf8')).toBe('three');
    expect((await readdir(directory)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it.each(['../x.md', '/etc/x.md', 'a/b.md', '.hidden', '', 'a\u0000.md', 'a\\b.md'])(
    'refuses the name %j',
    async (name) => {
      await expect(write('k', name, 'x')).rejects.toMatchObject({ code: 'invalid_file_name' });
    },
  );

  it('replaces a link instead of following it', async () => {
    const outside = path.join(newFolder('outside'), 'target');
    await writeFile(outside, 'mine');
    await symlink(outside, path.join(directory, exportName('linked.md', 'k')));
    await write('k', 'linked.md', 'exported');
    expect(await readFile(outside, 'utf8')).toBe('mine');
    await rm(path.dirname(outside), { recursive: true });
  });

  it('says when the directory cannot be written', async () => {
    const file = path.join(directory, 'plain');
    await writeFile(file, '');
    await expect(write('k', 'x.md', 'x', path.join(file, 'below'))).rejects.toMatchObject({ code: 'export_failed' });
  });
});
