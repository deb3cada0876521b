import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import type { FileEndpoint } from '../../../core/connector/types';
import { docxDocument } from '../../../connectors/formats/documents/docx-file';
import { parseFile } from '../../../connectors/formats/parse-file';
import { pdfPages } from '../../../connectors/formats/documents/pdf-file';
import { openWorkbook } from '../../../connectors/formats/documents/workbook';
import { dataBytes, dataFiles } from '../../support/data-readme';
import { describeWithData } from '../../support/data';
import { fileEndpoint } from './endpoint';

const files = dataFiles('documents');
const ofKind = (extension: string): [name: string, finds: string][] =>
  files.filter(({ path }) => path.endsWith(extension)).map(({ path, finds }) => [path, finds]);
const table = <T>(rows: T[]): T[] => (rows.length === 0 ? ([['', '']] as T[]) : rows);
const read = async (path: string, given: Partial<FileEndpoint> & Pick<FileEndpoint, 'parser'>): Promise<JsonObject[]> =>
  (await parseFile(fileEndpoint(given), dataBytes(path))).records;
const letters = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '');

describeWithData('documents', 'documents', () => {
  describe('PDF: pages and their text', () => {
    it.each(table(ofKind('.pdf')))('%s', async (path, finds) => {
      const pages = /(\d+) pages; text characters per page \(pypdf, spaces collapsed\) \[([^\]]*)\]/.exec(finds);
      if (pages === null) {
        await expect(pdfPages(dataBytes(path))).rejects.toMatchObject({ code: 'malformed_pdf' });
        return;
      }
      if (finds.includes('openpassword')) {
        await expect(pdfPages(dataBytes(path))).rejects.toMatchObject({ code: 'file_encrypted' });
        return;
      }
      const found = await pdfPages(dataBytes(path));
      expect(found).toHaveLength(Number(pages[1]));
      const lengths = (pages[2] ?? '').split(',').map(Number);
      // Another reader of the same page counts spaces and ligatures otherwise; the text is the same within an eighth.
      lengths.forEach((length, page) => {
        const text = (found[page] ?? '').replace(/\s+/g, ' ');
        expect(Math.abs(text.length - length)).toBeLessThanOrEqual(Math.max(12, length * 0.125));
      });
    });
  });

  describe('DOCX: paragraphs, tables, headers', () => {
    it.each(table(ofKind('.docx')))('%s', (path, finds) => {
      const counts = /(\d+) non-empty paragraphs, (\d+) words, (\d+) tables \[(.*?)\]/.exec(finds);
      if (counts === null) {
        expect(() => docxDocument(dataBytes(path))).toThrow(expect.objectContaining({ code: 'malformed_archive' }));
        return;
      }
      const document = docxDocument(dataBytes(path));
      const paragraphs = document['paragraphs'] as JsonObject[];
      const tables = document['tables'] as JsonObject[];
      const words = paragraphs.flatMap((paragraph) => (paragraph['text'] as string).split(/\s+/).filter(Boolean));
      expect([paragraphs.length, words.length, tables.length]).toEqual(counts.slice(1, 4).map(Number));
      const shapes = tables.map(({ rows }) => `(${(rows as string[][]).length}, ${(rows as string[][])[0]?.length})`);
      expect(shapes.join(', ')).toBe(counts[4]);
      const begins = /begins '(.*?)'(;|$)/.exec(finds)?.[1]?.replaceAll('\\n', '\n').replaceAll('\\t', '\t') ?? '';
      expect(letters((paragraphs[0]?.['text'] ?? '') as string)).toContain(letters(begins).slice(0, 20));
      const header = /header text \['(.*?)'\]/.exec(finds)?.[1];
      if (header !== undefined) {
        expect(document['headers']).toContainEqual(expect.objectContaining({ text: header }));
      }
    });
  });

  describe('workbooks: sheets, sizes, first values', () => {
    it.each(table(ofKind('.xlsx')))('%s', (path, finds) => {
      const book = openWorkbook(dataBytes(path));
      expect(book.names).toHaveLength(Number(/(\d+) sheets/.exec(finds)?.[1]));
      for (const [, name, rows, columns] of finds.matchAll(/\('([^']*)', (\d+), (\d+)\)/g)) {
        const sheet = book.sheet(name ?? '');
        const width = sheet.rows[0]?.length ?? 0;
        // A sheet without a cell has no size at all.
        expect([sheet.rows.length || 1, width || 1]).toEqual([Number(rows), Number(columns)]);
      }
      const first = [.../first values \[(.*?)\];/.exec(finds)![1]!.matchAll(/'([^']*)'/g)].map((match) => match[1]);
      const values = book
        .sheet(1)
        .rows.flat()
        .filter((cell) => cell !== null)
        .map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell)).replaceAll('\n', '\\n'));
      expect(values.slice(0, first.length)).toEqual(first.map((value) => value?.replace(/ 00:00:00$/, '')));
    });
    it('the older XLS and ODS', async () => {
      expect(openWorkbook(dataBytes('documents/excel_properties.xls')).names.length).toBeGreaterThan(0);
      const rows = openWorkbook(dataBytes('documents/ods_formats.ods')).sheet(1).rows;
      expect(rows.length).toBeGreaterThan(1);
      expect(JSON.stringify(rows)).toMatch(/"\d{4}-\d{2}-\d{2}/);
    });
  });

  describe('CSV and PSV: rows and cells', () => {
    const encodings: Record<string, string> = { cp1252: 'windows-1252' };
    it.each(
      table(
        files.filter(({ path }) => /\.[cp]sv$/.test(path)).map(({ path, finds }): [string, string] => [path, finds]),
      ),
    )('%s', async (path, finds) => {
      if (path.endsWith('weird_head_padding.csv')) {
        await expect(read(path, { parser: 'csv', header: false })).rejects.toMatchObject({ code: 'malformed_csv' });
        const rows = await read(path, { parser: 'csv', delimiter: ';', skip_lines: 11 });
        expect(rows[0]).toMatchObject({ column_1: 'Chirurgie (ohne Orthopädie) ...', 1985: '' });
        return;
      }
      const shape = /encoding (\S+), delimiter '(.*?)', (\d+) rows .*?, row widths \{(.*?)\}; first row \[(.*)\]/.exec(
        finds,
      )!;
      const encoding = encodings[shape[1] ?? ''] ?? 'auto';
      const records = await read(path, { parser: 'csv', header: false, delimiter: shape[2]!, encoding });
      const empty = Number(/\b0: (\d+)/.exec(shape[4] ?? '')?.[1] ?? 0);
      expect(records).toHaveLength(Number(shape[3]) - empty);
      const first = [...(shape[5] ?? '').matchAll(/'([^']*)'/g)].map((match) => match[1]?.trim());
      expect(Object.values(records[0] ?? {}).slice(0, first.length)).toEqual(first.length === 0 ? [] : first);
    });
  });

  it.each(
    table(
      files
        .filter(({ finds }) => finds.startsWith('decodes as'))
        .map(({ path, finds }): [string, string] => [path, finds]),
    ),
  )('%s: its encoding is guessed and reads it whole', async (path, finds) => {
    const [, label, length] = /decodes as (\S+) without error, (\d+) characters/.exec(finds)!;
    const names: Record<string, string> = {
      'iso8859-2': 'iso-8859-2',
      'iso8859-7': 'iso-8859-7',
      cp1251: 'windows-1251',
      cp1255: 'windows-1255',
    };
    const encoding = names[label!] ?? label!;
    const whole = [{ field: 'line', paths: ['line'], type: 'string' as const, start: 1, length: 100_000 }];
    expect(await read(path, { parser: 'fixed_width', encoding, fields: whole })).not.toEqual([]);
    const text = new TextDecoder(encoding, { fatal: true }).decode(dataBytes(path));
    // Mail addresses in this one were replaced after it was counted.
    expect(text.length).toBe(path.includes('EUC-KR') ? 8443 : Number(length));
  });
});
