import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { Documents } from '../../../core/connector/openapi/documents';
import { partName } from '../../../core/connector/openapi/draft-parameter';
import { externalFiles } from '../../../core/connector/openapi/external-refs';
import { ImportReport } from '../../../core/connector/openapi/import-report';
import { pathOf } from '../../../core/connector/openapi/paths';
import { parseReference } from '../../../core/connector/openapi/pointer';
import { valuesOf } from '../../../core/connector/openapi/values';
import { sentenceOf, slugOf, wordsOf } from '../../../core/connector/openapi/words';
import type { ParameterPlace, ValueType } from '../../../core/connector/types';

describe('names of an imported API', () => {
  it.each([
    ['Filing.TaxYear', 'filing_tax_year'],
    ['HTTPServer2Name', 'http_server2_name'],
    ['  --a--b--  ', 'a_b'],
    ['Gr\u00f6\u00dfe \u00c9', 'gro_e_e'],
    ['\u0661\u0662', ''],
    ['', ''],
  ])('%j has the words %j', (text, words) => {
    expect(wordsOf(text, '_')).toBe(words);
    expect(wordsOf(text, '-')).toBe(words.replaceAll('_', '-'));
  });

  it.each([
    ['Things API', 'things-api'],
    ['***', 'none'],
    ['a'.repeat(80), 'a'.repeat(63)],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ])('%j is the slug %j', (title, slug) => {
    expect(slugOf(title, 'none')).toBe(slug);
  });

  it.each([
    ['id', 'id'],
    ['user id', 'user_id'],
    ['user - (id)', 'user_-_id_'],
    ['1st', 'st'],
    ['--x', 'x'],
    ['\u00e4\u00f6x', '_x'],
    ['\u00e4', '_'],
    ['123', 'part'],
    ['', 'part'],
    [`a b${'c'.repeat(300)}`, `a_b${'c'.repeat(97)}`],
  ])('the part %j of a path is called %j', (name, part) => {
    expect(partName(name)).toBe(part);
  });

  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    [' \n\t ', undefined],
    [' Two\n\n lines\u0007here ', 'Two lines here'],
    ['x'.repeat(300), 'x'.repeat(300)],
    ['x'.repeat(301), `${'x'.repeat(299)}\u2026`],
    [`${'x'.repeat(298)} yyy`, `${'x'.repeat(298)}\u2026`],
  ])('the description %j is shown as %j', (text, sentence) => {
    expect(sentenceOf(text)).toBe(sentence);
  });
});

describe('a path of an imported API', () => {
  it.each<[string, string | undefined, JsonObject[]]>([
    ['/a', '/a', []],
    ['/a/{b c}/d', '/a/{b_c}/d', []],
    ['/a b', '/a%20b', []],
    ['/a#top', '/a', []],
    ['/a?x=1', '/a', [{ name: 'x', default: '1' }]],
    [
      '/a?x=1&y=&z',
      '/a',
      [
        { name: 'x', default: '1' },
        { name: 'y', default: '' },
        { name: 'z', default: '' },
      ],
    ],
    ['/a?x={x}&y=2', '/a', [{ name: 'y', default: '2' }]],
    ['/a?=1&b c=2', '/a', []],
    ['a', undefined, []],
    ['', undefined, []],
    ['?x=1', undefined, []],
    ['/a\\b', undefined, []],
    [`/${'a'.repeat(1999)}`, `/${'a'.repeat(1999)}`, []],
    [`/${'a'.repeat(2000)}`, undefined, []],
  ])('%s', (written, path, fixed) => {
    const read = pathOf(written);
    expect(read?.path).toBe(path);
    expect(read?.fixed ?? []).toEqual(
      fixed.map(({ name, default: value }) => ({
        name,
        in: 'query',
        type: 'string',
        required: true,
        default: value,
        enum: [value],
      })),
    );
  });
});

describe('a reference', () => {
  it.each<[string, { file: string; pointer: string[] } | undefined]>([
    ['#/a/b', { file: '', pointer: ['a', 'b'] }],
    ['#', { file: '', pointer: [] }],
    ['#/', { file: '', pointer: [] }],
    ['', { file: '', pointer: [] }],
    ['b.yaml', { file: 'b.yaml', pointer: [] }],
    ['b.yaml#/a', { file: 'b.yaml', pointer: ['a'] }],
    ['#/a~1b/c~0d/%41', { file: '', pointer: ['a/b', 'c~d', 'A'] }],
    ['#/~01', { file: '', pointer: ['~1'] }],
    ['#anchor', undefined],
    ['#/%zz', undefined],
  ])('%j', (text, parts) => {
    expect(parseReference(text)).toEqual(parts);
  });

  it('to other documents is found once each, in their order, and not in what is only an example', () => {
    const ref = ($ref: string): JsonObject => ({ $ref });
    expect(
      externalFiles({
        a: [ref('b.yaml#/x'), ref('a.yaml'), ref('#/own')],
        b: { deep: ref('c.json#/y'), again: ref('b.yaml#/z') },
        example: ref('example.yaml'),
        examples: [ref('e.yaml')],
        default: ref('d.yaml'),
        enum: [ref('e.yaml')],
        const: ref('f.yaml'),
        'x-example': ref('g.yaml'),
        'x-examples': ref('h.yaml'),
        last: ref('last.yaml'),
        no: { $ref: 5 },
        anchor: ref('i.yaml#anchor'),
      }),
    ).toEqual(['b.yaml', 'a.yaml', 'c.json', 'last.yaml']);
    expect([externalFiles('b.yaml'), externalFiles(null)]).toEqual([[], []]);
  });
});

describe('the values of an imported parameter', () => {
  const report = new ImportReport(() => undefined);
  const view = (
    type: ValueType,
    values: { enum?: Json[]; default?: Json },
    place: ParameterPlace = 'query',
  ): JsonObject =>
    valuesOf(
      {
        key: '',
        type,
        properties: new Map(),
        required: new Set(),
        readOnly: false,
        writeOnly: false,
        ...values,
      },
      {
        name: 'v',
        in: place,
        node: { document: '', path: [], value: null },
        documents: new Documents(new Map(), report),
        report,
      },
    );
  it.each<[string, ValueType, { enum?: Json[]; default?: Json }, JsonObject]>([
    ['a default of its type', 'string', { default: 'a' }, { default: 'a' }],
    ['no default of another type', 'integer', { default: 'a' }, {}],
    ['no default that is not among its values', 'string', { default: 'c', enum: ['a'] }, { enum: ['a'] }],
    ['a default among its values', 'string', { default: 'a', enum: ['a'] }, { default: 'a', enum: ['a'] }],
    ['no list with a value of another type', 'integer', { enum: [1, 'a', 2.5, 2, true] }, {}],
    ['no list of no value', 'integer', { enum: ['a'] }, {}],
    ['nothing that is no scalar', 'any', { enum: [[1], { a: 1 }, 'x'], default: { a: 1 } }, {}],
    ['yes and no', 'boolean', { default: false, enum: [true, false] }, { default: false, enum: [true, false] }],
    ['no number that a double does not hold', 'integer', { default: 2 ** 53, enum: [2 ** 53 - 1, 2 ** 53] }, {}],
    ['fractions', 'number', { default: 0.5 }, { default: 0.5 }],
    ['a long text', 'string', { default: 'x'.repeat(1000) }, { default: 'x'.repeat(1000) }],
    ['no longer text', 'string', { default: 'x'.repeat(1001) }, {}],
  ])('%s', (_what, type, given, kept) => {
    expect(view(type, given)).toEqual(kept);
  });

  it('are those that their place in the request can hold', () => {
    expect(view('string', { default: '', enum: ['', 'a'] })).toEqual({ default: '', enum: ['', 'a'] });
    expect(view('string', { default: 'a', enum: ['', 'a'] }, 'path')).toEqual({ default: 'a' });
    expect(view('string', { default: '..' }, 'path')).toEqual({});
    expect(view('string', { default: '5 €' }, 'header')).toEqual({});
  });

  it('are at most two hundred', () => {
    const texts = (count: number): Json[] => Array.from({ length: count }, (_, at) => `v${at}`);
    expect(view('string', { enum: texts(200) })).toEqual({ enum: texts(200) });
    expect(view('string', { enum: texts(201), default: 'v7' })).toEqual({ default: 'v7' });
  });
});

describe('the remarks of an import', () => {
  const report = (): ImportReport =>
    new ImportReport(({ path }) => (path.length === 0 ? undefined : { line: Number(path[0]), column: 1 }));
  const node = (line: number, document = '') => ({ document, path: [line], value: null });

  it('come once each, in the order of the document', () => {
    const found = report();
    found.warn('b', 'B', node(9));
    found.error('a', 'A', node(2), 'Do this.');
    found.warn('b', 'B', node(9));
    found.warn('c', 'C', { document: '', path: [], value: null });
    expect(found.problems()).toEqual([
      { severity: 'warning', code: 'c', message: 'C' },
      { severity: 'error', code: 'a', message: 'A', field: '2', line: 2, column: 1, suggestion: 'Do this.' },
      { severity: 'warning', code: 'b', message: 'B', field: '9', line: 9, column: 1 },
    ]);
  });

  it('of another document name it', () => {
    const found = report();
    found.warn('a', 'A', node(2, 'b.yaml'));
    expect(found.problems()[0]).toMatchObject({ field: 'b.yaml#2' });
  });

  it.each([
    [100, undefined],
    [101, /^1 more .* is /],
    [150, /^50 more .* are /],
  ])('%d of them: the first hundred, and how many more there are', (count, more) => {
    const found = report();
    for (let at = 0; at < count; at += 1) found.warn(`c${at}`, 'A', node(at));
    const problems = found.problems();
    expect(problems).toHaveLength(more === undefined ? 100 : 101);
    if (more !== undefined)
      expect(problems.at(-1)).toMatchObject({ code: 'more_problems', message: expect.stringMatching(more) });
  });
});
