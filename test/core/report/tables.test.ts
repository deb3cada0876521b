import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fileName } from '../../../core/report/file-name';
import { jsonReport } from '../../../core/report/json';
import { neutralCell } from '../../../core/report/neutral-cell';
import { recordsOf, reportTable } from '../../../core/report/table';
import type { ReportSection } from '../../../core/report/types';

const NOTHING_TO_CALCULATE = [
  '-250.00',
  '+49 30',
  '+49 30 123',
  '-1,234.56',
  '-1.234,56',
  '-5%',
  '-.5',
  '+1 000',
  '- 250.00',
  "-1'234.50",
  '-1.5e10',
  '-2E-7',
  '-12345678901234567890',
  '-$250.00',
  '-250,00 €',
  '+1 (555) 010-0100',
  '+49 (0)30/123-45',
  '+49 30/123-45',
  '(12)',
  '5-3',
  'a=b',
  '',
  ' ',
  '1',
];
const FORMULAS = [
  '=1+1',
  '=-250.00',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '\0x',
  '＝1',
  '＋1',
  '\ufeff=1+1',
  '\t-5',
  '-',
  '+',
  '-1+1',
  '-2-3',
  '+1-555-0100',
  '+49/30',
  '+2:30',
  '-A1',
  '-1 e5',
  '-5%5',
  '+1*2',
  '-(5)',
  '-1;=1+1',
  '-1\n+1',
  '-1,-2',
  '-1 2-A1',
  "+1 2 cmd|'/c calc'!A1",
  '-e5',
  '-$A$1',
  '+$1:$5',
  '- -5',
  '-５',
  '+1 2\n=A1',
];

describe('P11: cells of an export', () => {
  it.each(FORMULAS)('quotes %j', (text) => {
    expect(neutralCell(text)).toBe(`'${text}`);
  });
  // findings/37-apostrophe-before-negative-amounts.md
  it.each(NOTHING_TO_CALCULATE)('leaves %j, which holds nothing to calculate', (text) => {
    expect(neutralCell(text)).toBe(text);
  });
  it('leaves real numbers and booleans, and makes text of lists and records', () => {
    expect([-5, true, null].map(neutralCell)).toEqual([-5, true, null]);
    expect(neutralCell(['=x'])).toBe('["=x"]');
  });
  it('lets nothing stand that names a cell or a function, or could be worked out', () => {
    const cells = fc.stringMatching(/^[-+=@0-9.,()%$eE/: A*^&\t\u00a0']{0,9}$/);
    fc.assert(
      fc.property(cells, (text) => {
        const cell = String(neutralCell(text));
        if (!/^[=+\-@\t]/.test(cell)) return;
        const rest = cell.slice(1).replace(/\de[+-]?\d+$/i, '0');
        expect(rest).not.toMatch(/[a-z:=@*^&+\t]/i);
        // An operator between digits is left only where two groups of digits stand side by side, which is no expression.
        if (/[/-]/.test(rest)) expect(rest).toMatch(/\d[ \u00a0()]+\d/);
      }),
      { numRuns: 3_000 },
    );
  });
  it('decides on long texts in linear time', () => {
    const long = (text: string) => neutralCell(`+${text.repeat(200_000)}x`);
    for (const text of ['1', '1 ', '(', '.,', ' ']) expect(long(text)).toMatch(/^'/);
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

  it('has a name of its own for the section where the data have a column of that name', () => {
    const b: ReportSection = { title: 'B', value: [{ section: 'mine', Section_2: 1 }] };
    expect(reportTable({ title: 't', sections: [b] }).columns).toEqual(['section', 'Section_2']);
    expect(reportTable({ title: 't', sections: [{ title: 'A', value: [{ a: 1 }] }, b] })).toEqual({
      columns: ['section_3', 'a', 'section', 'Section_2'],
      rows: [
        ['A', 1, null, null],
        ['B', null, 'mine', 1],
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
