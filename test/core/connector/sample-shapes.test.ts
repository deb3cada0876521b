import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { FieldNames } from '../../../core/connector/sample/field-names';
import { dotPath, shapeOfJson } from '../../../core/connector/sample/from-json';
import { shapeOfTable } from '../../../core/connector/sample/from-table';
import type { XmlElement } from '../../../core/connector/sample/from-xml';
import { shapeOfXml } from '../../../core/connector/sample/from-xml';
import { typeOfTexts, typeOfValues } from '../../../core/connector/sample/infer-type';
import type { SampleShape } from '../../../core/connector/sample/shape';

type Part = XmlElement | string | Record<string, string>;

/** An element from its texts, attributes and elements. */
function el(name: string, ...parts: Part[]): XmlElement {
  const isElement = (part: Part): part is XmlElement => typeof part === 'object' && 'children' in part;
  return {
    name,
    text: parts.filter((part) => typeof part === 'string').join(''),
    attributes: parts.flatMap((part) => (typeof part === 'string' || isElement(part) ? [] : Object.entries(part))),
    children: parts.filter(isElement),
  };
}

const table = (shape: SampleShape | undefined): Record<string, string> =>
  Object.fromEntries((shape?.fields ?? []).map(({ field, path, type }) => [field, `${path} ${type}`]));

describe('the records of an XML sample', () => {
  it.each<[string, XmlElement, string | undefined, number]>([
    ['the elements that come more than once', el('r', el('a', el('x', '1')), el('a', el('x', '2'))), '/r/a', 2],
    [
      'the largest group',
      el('r', el('a', el('x')), el('a', el('x')), el('b', el('x')), el('b', el('x')), el('b', el('x'))),
      '/r/b',
      3,
    ],
    [
      'the first of two that are as large',
      el('r', el('a', el('x')), el('a', el('x')), el('b', el('x')), el('b', el('x'))),
      '/r/a',
      2,
    ],
    [
      'elements with parts before more of mere texts',
      el('r', el('t', '1'), el('t', '2'), el('t', '3'), el('a', { k: '1' }), el('a', { k: '2' })),
      '/r/a',
      2,
    ],
    [
      'elements with parts, whichever come first',
      el('r', el('a', el('x')), el('a', el('x')), el('t', '1'), el('t', '2'), el('t', '3')),
      '/r/a',
      2,
    ],
    ['mere texts where there is nothing else', el('r', el('t', '1'), el('t', '2')), '/r/t', 2],
    [
      'deep down',
      el('r', el('head', 'h'), el('body', el('list', el('a', el('x')), el('a', el('x'))))),
      '/r/body/list/a',
      2,
    ],
    [
      'not a group inside a record',
      el('r', el('a', el('t', '1'), el('t', '2'), el('t', '3')), el('a', el('t', '1'))),
      '/r/a',
      2,
    ],
    ['the document, where nothing comes twice', el('r', el('a', '1')), undefined, 1],
  ])('are %s', (_what, root, list, records) => {
    const shape = shapeOfXml(root);
    expect([shape.format, shape.list, shape.records, shape.single]).toEqual(['xml', list, records, list === undefined]);
  });

  it('have the fields that their texts, attributes and parts are', () => {
    const shape = shapeOfXml(
      el(
        'r',
        el(
          'a',
          { id: '1' },
          'own',
          el('who', { role: 'x' }, el('first', 'A'), el('age', '3')),
          el('tag', 'p'),
          el('tag', 'q'),
          el('empty'),
        ),
        el('a', { id: '2' }, el('who', el('first', 'B'), el('age', '4.5')), el('tag', 'p')),
      ),
    );
    expect(table(shape)).toEqual({
      id: '@id integer',
      text: '. string',
      who_role: 'who/@role string',
      who_first: 'who/first string',
      who_age: 'who/age number',
      tag: 'tag array',
      empty: 'empty string',
    });
  });

  it('that are one have paths from the top, and names apart from those of a result', () => {
    expect(table(shapeOfXml(el('r', { v: '1' }, 'x', el('count', '5'))))).toEqual({
      v: '/r/@v integer',
      text: '/r string',
      count_2: '/r/count integer',
    });
  });

  it('are opened five levels deep', () => {
    const deep = (levels: number): XmlElement =>
      levels === 0 ? el('end', '1') : el(`l${levels}`, el('n', `${levels}`), deep(levels - 1));
    const paths = shapeOfXml(el('r', el('a', deep(9)), el('a', deep(9)))).fields.map(({ path }) => path);
    expect(paths).toEqual(['l9/n', 'l9/l8/n', 'l9/l8/l7/n', 'l9/l8/l7/l6/n']);
  });

  it('are looked for twelve levels deep', () => {
    const under = (levels: number): XmlElement =>
      levels === 0 ? el('l', el('a', el('x')), el('a', el('x'))) : el('w', under(levels - 1));
    expect(shapeOfXml(under(11)).list).toBe(`/${'w/'.repeat(11)}l/a`);
    expect(shapeOfXml(under(12)).list).toBeUndefined();
  });

  it('have three hundred fields at most, of their first five hundred', () => {
    const wide = el('a', ...Array.from({ length: 301 }, (_, at) => el(`f${at}`, '1')));
    expect(shapeOfXml(el('r', wide, wide)).fields).toHaveLength(300);
    const many = Array.from({ length: 501 }, (_, at) => el('a', el('x', at === 500 ? 'text' : '1')));
    expect(shapeOfXml(el('r', ...many))).toMatchObject({ records: 501, fields: [{ type: 'integer' }] });
  });
});

describe('the columns of a table', () => {
  const rows = [
    ['1', 'x', '2024-01-31', ''],
    ['2.5', 'y', '2024-02-01', 'true'],
  ];
  it('are those of its header, the first of each name, and none without a name', () => {
    const shape = shapeOfTable({ names: ['Id No', 'a', '', 'a'], rows, delimiter: ';' });
    expect(table(shape)).toEqual({ id_no: 'Id No number', a: 'a string' });
    expect(shape).toMatchObject({
      format: 'csv',
      single: false,
      records: 2,
      delimiter: ';',
      header: true,
      unnamed: ['a'],
    });
  });
  it('are counted where there is no header', () => {
    const shape = shapeOfTable({ names: [], rows, delimiter: ',' });
    expect(table(shape)).toEqual({
      column_1: '1 number',
      column_2: '2 string',
      column_3: '3 date',
      column_4: '4 boolean',
    });
    expect(shape).toMatchObject({ header: false, unnamed: [] });
  });
  it('may be none', () => {
    expect(shapeOfTable({ names: [' ', ''], rows, delimiter: ',' })).toBeUndefined();
    expect(shapeOfTable({ names: [], rows: [], delimiter: ',' })).toBeUndefined();
  });
  it('are three hundred at most, told by the first five hundred rows', () => {
    const names = Array.from({ length: 301 }, (_, at) => `c${at}`);
    expect(shapeOfTable({ names, rows: [], delimiter: ',' })?.fields).toHaveLength(300);
    const many = Array.from({ length: 501 }, (_, at) => [at === 500 ? 'text' : '1']);
    expect(shapeOfTable({ names: ['a'], rows: many, delimiter: ',' })).toMatchObject({
      records: 501,
      fields: [{ type: 'integer' }],
    });
  });
});

describe('the shape of JSON', () => {
  it('leaves out what no path can name, and says what', () => {
    const shape = shapeOfJson([{ '': 1, ' ': 2, 'a"b': 3, ['k'.repeat(201)]: 4, ok: 5, 'a[0]': 6 }]);
    expect(table(shape)).toEqual({ ok: 'ok integer', a_0: '["a[0]"] integer' });
    expect(shape?.unnamed).toEqual(['', ' ', 'a"b', 'k'.repeat(60)]);
  });

  it('opens records three levels deep, and no record of more than sixty fields, or of none', () => {
    const of = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
    expect(table(shapeOfJson([{ a: { b: { c: { d: 1 } } }, none: {} }]))).toEqual({
      a_b_c: 'a.b.c object',
      none: 'none object',
    });
    expect(shapeOfJson([{ a: of(60) }])?.fields).toHaveLength(60);
    expect(table(shapeOfJson([{ a: of(61) }]))).toEqual({ a: 'a object' });
  });

  it('has three hundred fields at most, of its first five hundred records', () => {
    const wide = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
    expect(shapeOfJson([wide(301)])?.fields).toHaveLength(300);
    const many = Array.from({ length: 501 }, (_, at) => ({ x: at === 500 ? 'text' : 1 }));
    expect(shapeOfJson(many)).toMatchObject({ records: 501, fields: [{ type: 'integer' }] });
  });

  it('finds a list eight levels deep, and counts its records alone', () => {
    const under = (levels: number): Json => (levels === 0 ? [{ x: 1 }, 'no record'] : { w: under(levels - 1) });
    expect(shapeOfJson(under(7))).toMatchObject({ list: 'w.w.w.w.w.w.w', records: 1, single: false });
    expect(shapeOfJson(under(8))).toMatchObject({ single: true, records: 1 });
  });

  it.each<[string[], string | undefined]>([
    [[], ''],
    [['a', 'b'], 'a.b'],
    [['a.b', 'c'], '["a.b"].c'],
    [['a', 'b[c'], 'a["b[c"]'],
    [['a', ''], undefined],
  ])('the keys %j are the path %s', (keys, path) => {
    expect(dotPath(keys)).toBe(path);
  });
});

describe('types', () => {
  it.each<[string, string]>([
    ['0', 'integer'],
    ['-12', 'integer'],
    ['+12', 'integer'],
    ['007', 'string'],
    ['123456789012345', 'integer'],
    ['1234567890123456', 'string'],
    ['1.5', 'number'],
    ['.5', 'number'],
    ['-.5e10', 'number'],
    ['1e5', 'number'],
    ['1E-5', 'number'],
    ['01.5', 'string'],
    ['1.', 'string'],
    ['.', 'string'],
    ['e5', 'string'],
    ['1,5', 'string'],
    ['TRUE', 'boolean'],
    ['yes', 'string'],
    ['2024-01-31', 'date'],
    ['2024-02-30', 'string'],
    ['2024-01-31T10:00:00Z', 'datetime'],
    ['2024-01-31T10:00:00.123+02:00', 'datetime'],
    ['2024-01-31T10:00:00.1234Z', 'string'],
    ['2024-01-31T10:00:00', 'string'],
  ])('the text %s is of type %s', (text, type) => {
    expect(typeOfTexts([text, ' '])).toBe(type);
    expect(typeOfTexts([` ${text} `])).toBe(type);
  });

  it.each<[Json[], string]>([
    [[], 'string'],
    [[null, ''], 'string'],
    [[1, null], 'integer'],
    [[1, 0.5], 'number'],
    [['2024-01-31', '2024-01-31T10:00:00Z'], 'string'],
    [[true], 'boolean'],
    [[true, 1], 'any'],
    [[{ a: 1 }], 'object'],
    [[[1]], 'array'],
    [[[1], { a: 1 }], 'any'],
    [['1'], 'string'],
  ])('the values %j are of type %s', (values, type) => {
    expect(typeOfValues(values)).toBe(type);
  });
});

it('names of fields are words, no name twice, and none that an object has by birth', () => {
  const names = new FieldNames(['count']);
  expect(
    [
      ['Tax Year'],
      ['tax', 'year'],
      ['TAX-YEAR'],
      ['count'],
      ['constructor'],
      ['***'],
      [''],
      ['2nd'],
      ['x'.repeat(80)],
      ['x'.repeat(81)],
    ].map((parts) => names.nameFor(parts)),
  ).toEqual([
    'tax_year',
    'tax_year_2',
    'tax_year_3',
    'count_2',
    'constructor_2',
    'field',
    'field_2',
    'field_2nd',
    'x'.repeat(63),
    `${'x'.repeat(58)}_2`,
  ]);
});
