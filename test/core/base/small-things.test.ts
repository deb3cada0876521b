import { describe, expect, it } from '@jest/globals';
import { assertNever } from '../../../core/base/assert-never';
import { isDate } from '../../../core/base/calendar';
import { didYouMean, editDistance, suggestionOr } from '../../../core/base/did-you-mean';
import type { Json } from '../../../core/base/json';
import { exceedsJsonDepth } from '../../../core/base/json-depth';
import { jsonSize } from '../../../core/base/json-size';
import { jsonText } from '../../../core/base/json-text';
import { isTag, readTagList } from '../../../core/base/tags';
import { isUuid } from '../../../core/base/uuid';
import { encodeUtf8 } from '../../../core/base/utf8';
import { AppError, toStepError } from '../../../core/errors/app-error';
import { deepList } from './support';

it.each([
  ['0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f', true],
  ['0A1B2C3D-0A1B-0A1B-0A1B-0A1B2C3D4E5F', true],
  ['x0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f', false],
  ['0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f0', false],
  ['0a1b2c3d-0a1b-0a1b-0a1b2c3d4e5f', false],
  ['0a1b2c3d-0-0-0-0a1b2c3d4e5f', false],
  ['0a1b2c3g-0a1b-0a1b-0a1b-0a1b2c3d4e5f', false],
  ['', false],
])('%s has the form of a UUID: %s', (text, is) => {
  expect(isUuid(text)).toBe(is);
});

describe('tags', () => {
  it.each([
    ['a', true],
    ['us-data', true],
    ['2024', true],
    ['a'.repeat(40), true],
    ['a'.repeat(41), false],
    ['A', false],
    ['a b', false],
    ['-a', false],
    ['a-', false],
    ['a--b', false],
    ['', false],
    ['\u00e9', false],
  ])('%j is one: %s', (text, good) => {
    expect(isTag(text)).toBe(good);
  });

  it.each<[Json[], string[], string[]]>([
    [['a', 'b'], ['a', 'b'], []],
    [['a', 'a'], ['a'], ['1 duplicate_name']],
    [['A B!'], [], ['0 invalid_value Write a-b.']],
    [['\u00c9t\u00e9 2024'], [], ['0 invalid_value Write ete-2024.']],
    [['--x--'], [], ['0 invalid_value Write x.']],
    [['***'], [], ['0 invalid_value']],
    [['a'.repeat(41)], [], ['0 invalid_value']],
    [[5], [], ['0 invalid_type Write "5".']],
    [[true], [], ['0 invalid_type Write "true".']],
    [[null], [], ['0 invalid_type']],
    [[['a']], [], ['0 invalid_type']],
  ])('of %j are %j', (values, tags, faults) => {
    const read = readTagList(values);
    expect(read.tags).toEqual(tags);
    expect(
      read.faults.map(({ index, code, suggestion }) =>
        [index ?? '', code, code === 'duplicate_name' ? '' : (suggestion ?? '')].join(' ').trim(),
      ),
    ).toEqual(faults);
  });

  it('are twenty at most, and a long one is shown by its beginning', () => {
    const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);
    expect(readTagList(many(20))).toEqual({ tags: many(20), faults: [] });
    const { tags, faults } = readTagList(many(21));
    expect([tags, faults]).toEqual([many(20), [expect.objectContaining({ code: 'invalid_value' })]]);
    expect(faults[0]).not.toHaveProperty('index');
    expect(readTagList(['X'.repeat(5000)]).faults[0]?.message.length).toBeLessThan(300);
  });
});

describe('the size of JSON', () => {
  it.each<Json>([
    0,
    9,
    10,
    -1,
    1.5,
    true,
    false,
    null,
    '\udbff\udc00',
    '\udbff\ue000',
    '\udbff\udbff',
    '\udfff',
    '\ue000',
    '\ud7ff',
    '\x7f',
    '\x80',
    '\u07ff',
    '\u0800',
    '\x1f',
    '\x0b',
    '\b\t\n\f\r',
    ' !#[]~',
  ])('of %j is its bytes', (value) => {
    expect(jsonSize(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
    expect(jsonSize([value, value])).toBe(Buffer.byteLength(JSON.stringify([value, value])));
  });
});

it.each(['2023/01-01', '2023-01/01', '2023-01-1', '2023-01-011', '202a-01-01', '2023-0a-01'])(
  '%s is no date',
  (text) => {
    expect(isDate(text)).toBe(false);
  },
);

describe('the depth of data', () => {
  it('is that of its own keys, in lists and records alike', () => {
    expect([exceedsJsonDepth([[]], 2), exceedsJsonDepth([[]], 1), exceedsJsonDepth({ a: {} }, 1)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(exceedsJsonDepth({ a: 1, b: null, c: 'x' }, 1)).toBe(false);
    const inherited = Object.create({ deep: [[[[]]]] }) as Json;
    expect(exceedsJsonDepth(inherited, 2)).toBe(false);
  });
});

describe('a value as text for people', () => {
  it.each<[Json | undefined, string]>([
    [undefined, ''],
    [null, ''],
    ['a', 'a'],
    [0, '0'],
    [false, 'false'],
    [Number.NaN, ''],
    [[1, null], '[1,null]'],
    [{ a: [] }, '{"a":[]}'],
  ])('of %j is %j', (value, text) => {
    expect(jsonText(value)).toBe(text);
  });
  it('is written however deep it is', () => {
    expect(jsonText(deepList(100_000))).toHaveLength(200_000);
    expect(jsonText({ b: deepList(20_000), a: 1 })).toMatch(/^\{"b".*,"a":1\}$/);
    expect(jsonText({ a: deepList(20_000), b: null })).toMatch(/^\{"a":\[{9}/);
  });
});

it.each([
  '',
  'a',
  '\x7f',
  '\x80',
  '\u07ff',
  '\u0800',
  '\uffff',
  '\ud7ff',
  '\ue000',
  '\u{10000}',
  '\u{10ffff}',
  'a\ud800b',
  '\udc00',
  '\udfff',
  'mixed \u00e9 \u4e16 \u{1f44d} x',
])('the UTF-8 of %j is that of every encoder', (text) => {
  expect(Buffer.from(encodeUtf8(text))).toEqual(Buffer.from(text, 'utf8'));
});

describe('the name that was probably meant', () => {
  it('is among the first two thousand, and no longer than 64 letters', () => {
    const many = (count: number): string[] => [...Array.from({ length: count }, (_, at) => `zzzzzzzz${at}`), 'meant'];
    expect(didYouMean('meent', many(1999))).toBe('meant');
    expect(didYouMean('meent', many(2000))).toBeUndefined();
    const long = 'a'.repeat(64);
    expect(didYouMean(long, [`${'a'.repeat(63)}b`])).toBe(`${'a'.repeat(63)}b`);
    expect(didYouMean(`${long}a`, [long])).toBeUndefined();
  });
  it.each([
    ['ab', ['abcd'], undefined],
    ['ab', ['abc'], 'abc'],
    ['abc', ['axc'], 'axc'],
    ['abc', ['axy'], undefined],
    ['abcdef', ['abxyef'], 'abxyef'],
    ['abcdef', ['axyzef'], undefined],
    ['ABC', ['abd'], 'abd'],
    ['abc', ['abd', 'abe'], 'abd'],
    ['abcdef', ['abxyef', 'abcdeg'], 'abcdeg'],
    ['abc', ['abc', 'abd'], 'abd'],
  ])('for %s of %j is %s', (word, candidates, meant) => {
    expect(didYouMean(word, candidates)).toBe(meant);
    expect(suggestionOr(word, candidates, 'none')).toBe(meant === undefined ? 'none' : `Did you mean "${meant}"?`);
  });
  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['', 'abc', 3],
    ['abc', 'acb', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['abcd', 'badc', 2],
    ['a', 'b', 1],
  ])('%j and %j are %d changes apart', (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
    expect(editDistance(left, right, 2)).toBe(Math.min(2, distance));
  });
});

describe('an error', () => {
  it('of a step says what it is, and has details only where there are some', () => {
    const error = new AppError('c', 'M', { category: 'upstream' });
    expect(toStepError(error)).toStrictEqual({ code: 'c', message: 'M', category: 'upstream', retryable: false });
    const more = new AppError('c', 'M', { category: 'timeout', retryable: true, details: { a: 1 }, cause: error });
    expect(toStepError(more)).toStrictEqual({
      code: 'c',
      message: 'M',
      category: 'timeout',
      retryable: true,
      details: { a: 1 },
    });
    expect([more.name, more.cause, error.cause, more.problems]).toEqual(['AppError', error, undefined, []]);
  });
  it('of a value that no type has names its kind, and never its content', () => {
    expect(() => assertNever('new_kind' as never, 'kind')).toThrow(/kind: new_kind/);
    expect(() => assertNever({ secret: 'x' } as never)).toThrow(/value: object/);
    expect(() => assertNever(5 as never)).toThrow(
      expect.objectContaining({ code: 'internal_error', category: 'internal' }),
    );
  });
});
