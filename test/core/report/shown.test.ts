import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { sidecarJson, emptyText, factLines, missingField, missingIn, notComputed } from '../../../core/report/about';
import { csvText } from '../../../core/report/csv-text';
import { shorten } from '../../../core/base/shorten';
import { codeBlock, escapeInline, plainText, sanitiseMarkdown } from '../../../core/report/escape';
import { fileName } from '../../../core/report/file-name';
import { jsonReport } from '../../../core/report/json';
import { renderMarkdownReport } from '../../../core/report/markdown';
import { readableLine, readableText } from '../../../core/report/readable';
import { shortfallText } from '../../../core/report/shortfall-text';
import { isNumeric, shownNumber } from '../../../core/report/shown-number';
import { cellText, shownRows } from '../../../core/report/shown-rows';
import type { ReportSection } from '../../../core/report/types';

const section = (value: Json, more: Partial<ReportSection> = {}): ReportSection => ({ title: 'S', value, ...more });

describe('a section with nothing to show says why', () => {
  it.each<[string, ReportSection, RegExp | undefined]>([
    ['null', section(null), /null/],
    ['no rows', section([]), /^No rows\.$/],
    ['rows that are all null', section([null, null]), /all 2 .*null/],
    ['a row', section([null, 1]), undefined],
    ['a text', section(''), undefined],
    ['what is not there', section(null, { absent: '{a.b}' }), /^Not computed: \{a\.b\} is not there$/],
    [
      'what is not there for a reason',
      section(null, { absent: '{a.b}', lacks: ['a failed', 'b too'] }),
      /^Not computed: a failed; b too$/,
    ],
    ['no rows out of what could not be read', section([], { lacks: ['2 files'] }), /^No rows\. Missing: 2 files$/],
    ['rows out of what could not all be read', section([1], { lacks: ['2 files'] }), undefined],
  ])('%s', (_what, given, text) => {
    if (text === undefined) expect(emptyText(given)).toBeUndefined();
    else expect(emptyText(given)).toMatch(text);
  });

  it('what is missing beside what is there is a line each', () => {
    expect(missingIn(section([1, null], { lacks: ['a'] }))).toEqual(['a', expect.stringMatching(/^1 of 2 .*null/)]);
    expect(missingIn(section([null, null], { lacks: ['a'] }))).toEqual(['a']);
    expect(missingIn(section([1]))).toEqual([]);
    expect(missingIn(section('text', { lacks: ['a'] }))).toEqual(['a']);
  });

  it('in JSON stands what is missing, where something is', () => {
    expect(missingField(section([1]))).toStrictEqual({});
    expect(missingField(section([1], { lacks: ['a'] }))).toStrictEqual({ missing: ['a'] });
    expect(missingField(section(null, { absent: '{a}' }))).toStrictEqual({ missing: ['{a} is not there'] });
    expect(missingField(section(null, { absent: '{a}', lacks: ['b failed'] }))).toStrictEqual({
      missing: ['b failed'],
    });
  });

  it('a report of which nothing was computed is known for it', () => {
    const absent = section(null, { absent: '{a}' });
    expect(notComputed({ title: 'T', sections: [absent, absent] })).toMatch(/^Not computed/);
    expect(notComputed({ title: 'T', sections: [absent, section([])] })).toBeUndefined();
    expect(notComputed({ title: 'T', sections: [] })).toBeUndefined();
  });

  it('beside a file of rows stands how many each section has', () => {
    const sections = [
      section([{ a: 1 }, null]),
      section(null, { title: 'N', absent: '{a}' }),
      section(null, { title: 'Z' }),
    ];
    expect(sidecarJson({ title: 'T', meta: { run: 'r' }, sections })).toStrictEqual({
      title: 'T',
      run: 'r',
      sections: [
        { title: 'S', computed: true, rows: 1, missing: [expect.stringMatching(/^1 of 2/)] },
        { title: 'N', computed: false, missing: ['{a} is not there'] },
        { title: 'Z', computed: true },
      ],
    });
  });
});

describe('the facts of a report', () => {
  it('are names and lines: lists a line each, records in words, nothing for null', () => {
    const facts: JsonObject = {
      run: 'r',
      none: null,
      empty: {},
      count: 2,
      list: ['a', { b: 1 }, 3],
      record: { c: 1, d: 'x' },
      no: [],
    };
    expect(factLines(facts)).toEqual([
      ['run', 'r'],
      ['count', '2'],
      ['list', 'a'],
      ['list', 'b: 1'],
      ['list', '3'],
      ['record', 'c: 1, d: x'],
    ]);
  });

  it.each<[Json | undefined, string]>([
    [undefined, ''],
    [null, ''],
    ['a\n b ', 'a b'],
    [5, '5'],
    [['a', 2, null], 'a, 2, '],
    [[{ a: 1 }, 'x'], 'a: 1; x'],
    [{ a: 1, b: [2] }, 'a: 1, b: [2]'],
    ['x'.repeat(201), `${'x'.repeat(200)}\u2026`],
  ])('%j in one line is %j', (value, line) => {
    expect(readableLine(value)).toBe(line.trim());
  });

  it('a value where text is wanted is text, or a table and a list of Markdown', () => {
    expect([readableText('a\n\nb'), readableText(null), readableText(5), readableText(undefined)]).toEqual([
      'a\n\nb',
      '',
      '5',
      '',
    ]);
    expect(readableText([{ a: 1 }])).toBe('| a |\n| --- |\n| 1 |');
    expect(readableText(['a', 'b'])).toBe('- a\n- b');
  });
});

describe('Markdown of a value', () => {
  const shown = (value: Json, format?: string, limits = {}): string =>
    renderMarkdownReport(
      { title: '', sections: [{ title: '', value, ...(format === undefined ? {} : { format }) }] },
      limits,
    ).trimEnd();
  it.each<[Json, string | undefined, string]>([
    ['', undefined, '_No data._'],
    ['', 'text', '_No data._'],
    [{}, undefined, '_No data._'],
    [[{}], undefined, '_No data._'],
    [5, undefined, '5'],
    [false, undefined, 'false'],
    ['a\nb\n\n\nc', 'text', 'a  \nb\n\nc'],
    ['*a*', 'text', '\\*a\\*'],
    [{ a: 1 }, 'list', '- **a**: 1'],
    [[{ a: 1 }], 'list', '- {"a":1}'],
    [{ a: 1 }, 'table', '| a |\n| --- |\n| 1 |'],
    [[1, null], 'table', '| value |\n| --- |\n| 1 |\n\n_1 of 2 elements are null, and not shown._'],
    [[{ a: 1 }, null], undefined, '| a |\n| --- |\n| 1 |\n\n_1 of 2 elements are null, and not shown._'],
    [[1, null], undefined, '- 1\n- _null_'],
    [{ a: 'x', b: 'two\nlines' }, undefined, '- **a**: x\n\n### b\n\ntwo\nlines'],
    [{ b: [] }, undefined, '- **b**: \\[\\]'],
    [{ b: {} }, undefined, '- **b**: {}'],
  ])('%j as %s', (value, format, text) => {
    expect(shown(value, format)).toBe(text);
  });

  it('shows as much as it may, and how much more there is', () => {
    const limits = { maxRows: 2, maxColumns: 2, maxCell: 5 };
    expect(shown([{ a: 1 }, { a: 2 }], undefined, limits)).not.toContain('not shown');
    expect(shown([{ a: 1 }, { a: 2 }, { b: 3 }], undefined, limits)).toBe(
      '| a |\n| --- |\n| 1 |\n| 2 |\n\n_1 more of 3 are not shown._',
    );
    expect(shown(['a', 'b', 'c'], undefined, limits)).toBe('- a\n- b\n\n_1 more of 3 are not shown._');
    expect(shown([{ a: 1, b: 2 }], undefined, limits)).not.toContain('columns');
    expect(shown([{ a: 1, b: 2, c: 3 }], undefined, limits)).toContain('_1 more columns are not shown._');
    expect(shown([{ a: 'abcde' }], undefined, limits)).toContain('| abcde |');
    expect(shown([{ a: 'abcdef' }], undefined, limits)).toContain('| abcde\u2026 |');
    expect(shown([{ a: 1 }, { a: 2 }, { a: 3 }], 'csv', limits)).toBe(
      '```csv\na\n1\n2\n```\n\n_1 more of 3 are not shown._',
    );
    expect(shown({ long: 'abcdef' }, undefined, limits)).toBe('### long\n\nabcdef');
  });

  it('has a title, sections and facts, each where there is one', () => {
    expect(renderMarkdownReport({ title: 'T', sections: [section(null, { title: '' })], meta: {} })).toBe(
      '# T\n\n_No value (null)._\n',
    );
    expect(renderMarkdownReport({ title: '', sections: [section('x', { lacks: ['a*'] })], meta: { r: '1' } })).toBe(
      '## S\n\n_Missing: a\\*_\n\nx\n\n---\n\n- r: 1\n',
    );
  });
});

describe('text that is shown as it is', () => {
  it.each([
    ['# a', '\\# a'],
    ['#a', '#a'],
    ['####### a', '####### a'],
    ['- a', '\\- a'],
    ['+ a', '\\+ a'],
    ['-5', '-5'],
    ['-', '\\-'],
    ['===', '\\==='],
    ['---', '\\---'],
    ['1. a', '1\\. a'],
    ['12) a', '12\\) a'],
    ['1.5', '1.5'],
    ['a_b', 'a_b'],
    ['_a', '\\_a'],
    ['a_', 'a\\_'],
    ['&amp; & &#5;', '&amp;amp; & &amp;#5;'],
    ['a  \n b', 'a b'],
    ['a\\b', 'a\\\\b'],
    ['<b>', '&lt;b&gt;'],
    ['\u202ea', '\\\\u202ea'],
  ])('%j in a line is %j', (text, line) => {
    expect(escapeInline(text)).toBe(line);
  });

  it.each([
    ['# a', '### a'],
    ['##### a', '###### a'],
    ['   # a', '### a'],
    ['b\n    # a', 'b\n    # a'],
    ['#a', '#a'],
    ['#', '###'],
    ['a\n---', 'a\n* * *'],
    ['a\n   -----', 'a\n* * *'],
    ['a\n--', 'a\n\\--'],
    ['a\n-', 'a\n\\-'],
    ['a\n  ==', 'a\n\\=='],
    ['a\n- b', 'a\n- b'],
    ['a\n\n\n\nb  ', 'a\n\nb'],
    ['![a](b)', '!\\[a]\\(b)'],
    ['[a][b]', '[a]\\[b]'],
    ['[a]: b', '[a]\\: b'],
    ['[a] b', '[a] b'],
    ['``', '``'],
    ['````', '\\`\\`\\`\\`'],
    ['a < b <c', 'a < b &lt;c'],
    ['~~a~~ ~b', '~~a~~ ~b'],
    ['a\nb --', 'a\nb --'],
    ['a\nb ==', 'a\nb =='],
  ])('%j as prose is %j', (text, prose) => {
    expect(sanitiseMarkdown(text, 2)).toBe(prose);
  });

  it('loses control characters and line ends of other systems, and no tab', () => {
    expect(plainText('a\r\nb\rc\td\u0000\u200e\u2066\ufeff')).toBe('a\nb\nc\td\\u0000\\u200e\\u2066\\ufeff');
  });

  it('as code has a longer fence than any inside', () => {
    expect(codeBlock('a', 'json')).toBe('```json\na\n```');
    expect(codeBlock('a `` b', '')).toBe('```\na `` b\n```');
    expect(codeBlock('a ```` b', '')).toBe('`````\na ```` b\n`````');
  });

  it('is cut between characters', () => {
    expect([shorten('abc', 3), shorten('abcd', 3)]).toEqual(['abc', 'abc\u2026']);
    expect([shorten('ab\u{1f44d}c', 3), shorten('ab\u{1f44d}c', 4)]).toEqual(['ab\u2026', 'ab\u{1f44d}\u2026']);
  });

  it('as CSV is quoted where it must be', () => {
    expect(
      csvText({
        columns: ['a', 'b'],
        rows: [
          ['x,y', 'say "z"'],
          ['two\nlines', null],
          [1, true],
          ['=1', [1]],
        ],
      }),
    ).toBe(`a,b\n"x,y","say ""z"""\n"two\nlines",\n1,true\n'=1,[1]`);
  });
});

describe('a file name', () => {
  it.each<[string, JsonObject, string, string]>([
    ['{a}_{b}', { a: 'x', b: 5 }, '.md', 'x_5.md'],
    ['{a.b}-{c_1}', { 'a.b': 'x', c_1: 'y' }, '.md', 'x-y.md'],
    ['{1}', { 1: 'x' }, '.md', '1.md'],
    ['{__proto__}x', {}, '.md', 'x.md'],
    ['a b/c', {}, '.csv', 'a_b_c.csv'],
    ['a__b', {}, '.csv', 'a_b.csv'],
    ['..a..', {}, '.csv', 'a.csv'],
    ['report.md.md', {}, '.md', 'report.md.md'],
    ['report.txt', {}, '.md', 'report.txt.md'],
    ['.md', {}, '.md', 'output.md'],
    ['', {}, '.md', 'output.md'],
    ['e\u0301', {}, '.md', '\u00e9.md'],
    ['x'.repeat(200), {}, '.md', `${'x'.repeat(160)}.md`],
    ['\u00e9'.repeat(200), {}, '.md', `${'\u00e9'.repeat(80)}.md`],
  ])('%j of %j is %s', (template, values, extension, name) => {
    expect(fileName(template, values, extension)).toBe(name);
  });
});

describe('a report as JSON', () => {
  it('is the value where it is all that there is', () => {
    const bare = section([1], { title: '' });
    expect(jsonReport({ title: 'T', sections: [bare] })).toEqual([1]);
    expect(jsonReport({ title: 'T', sections: [bare], meta: {} })).toStrictEqual({
      title: 'T',
      meta: {},
      sections: [{ title: '', value: [1] }],
    });
    expect(jsonReport({ title: 'T', sections: [bare, bare] })).toMatchObject({
      sections: [{ value: [1] }, { value: [1] }],
    });
    expect(jsonReport({ title: 'T', sections: [] })).toStrictEqual({ title: 'T', sections: [] });
  });
  it('says what was not computed, and what is missing', () => {
    expect(
      jsonReport({ title: 'T', sections: [section(null, { absent: '{a}' }), section([1], { lacks: ['b'] })] }),
    ).toStrictEqual({
      title: 'T',
      sections: [
        { title: 'S', value: null, computed: false, missing: ['{a} is not there'] },
        { title: 'S', value: [1], missing: ['b'] },
      ],
    });
  });
});

describe('rows for a decision', () => {
  it.each<[number, string, string]>([
    [0, 'a', '0'],
    [999, 'a', '999'],
    [1000, 'a', '1,000'],
    [-1_234_567, 'a', '-1,234,567'],
    [1234.5678, 'sum', '1,234.5678'],
    [0.1234567, 'a', '0.1234567'],
    [1e21, 'a', '1e+21'],
    [2015, 'tax_year', '2015'],
    [2015, 'year', '2015'],
    [12_345, 'zip', '12345'],
    [12_345, 'id', '12345'],
  ])('%d in the column %s is %s', (value, name, text) => {
    expect(shownNumber(value, name)).toBe(text);
    expect(cellText(value, { name, numeric: true })).toBe(text);
    expect(cellText(String(value), { name, numeric: true })).toBe(String(value));
  });

  it.each<[unknown, boolean]>([
    [5, true],
    ['5', true],
    ['1,234.50', true],
    ['1,234,567', true],
    ['+5', true],
    ['1234,567', false],
    ['x5', false],
    ['5x', false],
    ['-1e5', true],
    ['1,23', false],
    ['1 234', false],
    ['', false],
    ['x', false],
    [null, false],
    [true, false],
  ])('%j is a number: %s', (value, numeric) => {
    expect(isNumeric(value)).toBe(numeric);
  });

  it('stand in the columns in which they differ; what is alike in all is said once', () => {
    const rows: JsonObject[] = [
      { kind: 'a', n: 1, list: [1], note: null },
      { kind: 'a', n: '2,000', list: [1], more: 'x' },
    ];
    expect(shownRows(rows)).toEqual({
      columns: [
        { name: 'n', numeric: true },
        { name: 'note', numeric: false },
        { name: 'more', numeric: false },
      ],
      same: [
        { name: 'kind', text: 'a' },
        { name: 'list', text: '[1]' },
      ],
      rows,
    });
    expect(shownRows([{ a: 1 }])).toMatchObject({ columns: [{ name: 'a', numeric: true }], same: [] });
    expect(shownRows([])).toEqual({ columns: [], same: [], rows: [] });
    expect(shownRows([{ a: null }, { a: null }]).same).toEqual([{ name: 'a', text: '' }]);
    expect(shownRows([{ a: 1 }, { b: 1 }]).same).toEqual([]);
  });
});

it.each([
  ['failed', 'c', 'M', 's failed: c (M)'],
  ['failed', 'c', '', 's failed: c'],
  ['skipped', 'c', 'M', 's was skipped: M'],
  ['gap', 'c', 'M', 's: M'],
])('what a step lacks, %s, is one line', (kind, code, message, line) => {
  expect(shortfallText({ step: 's', kind, code, message })).toBe(line);
});
