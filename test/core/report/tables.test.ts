import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fileName } from '../../../core/report/file-name';
import { jsonReport } from '../../../core/report/json';
import { neutralCell } from '../../../core/report/neutral-cell';
import { recordsOf, reportTable } from '../../../core/report/table';
import type { ReportSection } from '../../../core/report/types';

describe('P11: cells of an export', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1'])('quotes %j', (text) => {
    expect(neutralCell(text)).toBe(`'${text}`);
  });
  it('leaves numbers, booleans and plain text', () => {
    expect([-5, true, null, 'a=b', '1'].map(neutralCell)).toEqual([-5, true, null, 'a=b', '1']);
    expect(neutralCell(['=x'])).toBe('["=x"]');
  });
});

describe('recordsOf', () => {
  it('finds the rows of a value', () => {
    expect(recordsOf([{ a: 1 }, null])).toEqual([{ a: 1 }]);
    expect(recordsOf({ data: [{ a: 1 }], count: 1 })).toEqual([{ a: 1 }]);
    expect(recordsOf({ x: 1, y: ['a'] })).toEqual([{ x: 1, y: ['a'] }]);
    expect(recordsOf(['a', 2])).toEqual([{ value: 'a' }, { value: 2 }]);
    expect(recordsOf(null)).toEqual([]);
    expect(recordsOf('text')).toEqual([{ value: 'text' }]);
  });
});

describe('reportTable', () => {
  it('is the table of one section, or all with their section named', () => {
    const a: ReportSection = { title: 'A', value: [{ x: 1 }, { y: 2 }] };
    expect(reportTable({ title: 't', sections: [a] })).toEqual({
      columns: ['x', 'y'],
      rows: [
        [1, null],
        [null, 2],
      ],
    });
    expect(reportTable({ title: 't', sections: [a, { title: 'B', value: { y: 3 } }] })).toEqual({
      columns: ['section', 'x', 'y'],
      rows: [
        ['A', 1, null],
        ['A', null, 2],
        ['B', null, 3],
      ],
    });
  });
});

describe('jsonReport', () => {
  it('is the value of a single untitled section, else the whole', () => {
    expect(jsonReport({ title: 't', sections: [{ title: '', value: [1] }] })).toEqual([1]);
    expect(jsonReport({ title: 't', sections: [{ title: 'A', value: 1 }], meta: { runId: 'r' } })).toEqual({
      title: 't',
      meta: { runId: 'r' },
      sections: [{ title: 'A', value: 1 }],
    });
  });
});

describe('fileName', () => {
  it('fills placeholders', () => {
    expect(
      fileName('nonprofit_{entity_name}_{date}.md', { entity_name: 'Pasadena Found./x', date: '2026-02-14' }, '.md'),
    ).toBe('nonprofit_Pasadena_Found._x_2026-02-14.md');
    expect(fileName('{missing}', {}, '.csv')).toBe('output.csv');
    expect(fileName('report.MD', {}, '.md')).toBe('report.md');
  });
  it('is one safe name whatever the values hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const name = fileName('{x}', { x: text }, '.md');
        expect(name).not.toMatch(/[/\\\p{Cc}]|^\.|\.\.$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(163);
        expect(name.length).toBeGreaterThan(3);
      }),
    );
    expect(fileName('../../etc/passwd', {}, '.md')).toBe('etc_passwd.md');
  });
});
