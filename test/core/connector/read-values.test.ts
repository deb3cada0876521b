import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { dateFormatFault, dateReader, hasTime } from '../../../core/connector/date-format';
import { numberOfText } from '../../../core/connector/number-text';
import { compileTransform } from '../../../core/connector/transform-value';
import { parseDotPath, pathReader, readDotPath } from '../../../core/connector/path';
import { pathFaultOf, pathText } from '../../../core/connector/path-fault';

describe('the number that a text stands for', () => {
  it.each<[string, number | undefined]>([
    ['1', 1],
    [' 1.50 ', 1.5],
    ['-1', -1],
    ['+1', 1],
    ['\u22121', -1],
    ['- 1', -1],
    ['$ 1', 1],
    ['1 $', 1],
    ['\u20ac1', 1],
    ['\u00a31', 1],
    ['\u00a51', 1],
    ['-$1', -1],
    ['$-1', -1],
    ['--1', undefined],
    ['-$-1', undefined],
    ['$$1', undefined],
    ['1-', undefined],
    ['5%', 5],
    ['%5', undefined],
    ['(1)', -1],
    ['( 1 )', -1],
    ['(-1)', undefined],
    ['(1', undefined],
    ['(12', undefined],
    ['12)', undefined],
    ['1)', undefined],
    ['()', undefined],
    ['(0)', 0],
    ['-0', 0],
    ['', undefined],
    ['-', undefined],
    ['.', undefined],
    ['.5', 0.5],
    ['5.', 5],
    ['1,234', 1234],
    ['1,234,567.25', 1_234_567.25],
    ['12,345', 12_345],
    ['1234,567', undefined],
    ['1,23', undefined],
    ['1,2345', undefined],
    [',123', undefined],
    ['1,', undefined],
    ['1 234', 1234],
    ['1\u00a0234', 1234],
    ['1\u2009234', 1234],
    ['1\u202f234', 1234],
    ["1'234", 1234],
    ['1 23', undefined],
    ['1.2.3', undefined],
    ['1e3', 1000],
    ['1e999', undefined],
    ['e3', undefined],
    ['0x10', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['9007199254740993', undefined],
    [`${'0'.repeat(63)}1`, 1],
    [`${'0'.repeat(64)}1`, undefined],
  ])('%j', (text, number) => {
    expect(numberOfText(text, '.')).toBe(number);
  });

  it.each<[string, number | undefined]>([
    ['1,5', 1.5],
    ['1.234,5', 1234.5],
    ['1 234,5 \u20ac', 1234.5],
    ['1.5', undefined],
    ['1,234,5', undefined],
  ])('%j where a comma begins the fraction', (text, number) => {
    expect(numberOfText(text, ',')).toBe(number);
  });
});

describe('dates of a format', () => {
  it.each<[string, string | number, string | undefined]>([
    ['YYYY-MM-DD', '2024-01-31', '2024-01-31'],
    ['YYYY-MM-DD', ' 2024-01-31 ', '2024-01-31'],
    ['YYYY-MM-DD', '2024-1-3', '2024-01-03'],
    ['YYYY-MM-DD', '24-01-31', undefined],
    ['YYYY-MM-DD', '2024-01-31T10:00', '2024-01-31'],
    ['YYYY-MM-DD', '2024-01-31 10:00', '2024-01-31'],
    ['YYYY-MM-DD', '2024-01-31x', undefined],
    ['YYYY-MM-DD', '2024-01-3', '2024-01-03'],
    ['YYYY-MM-DD', '2024/01/31', undefined],
    ['YYYY-MM-DD', 20240131, undefined],
    ['MM/DD/YYYY', '1/3/2024', '2024-01-03'],
    ['MM/DD/YYYY', '13/03/2024', undefined],
    ['MM/DD/YYYY', '1/3/24', undefined],
    ['MM/DD/YYYY', '001/03/2024', undefined],
    ['YYYYMMDD', '20240131', '2024-01-31'],
    ['YYYYMMDD', '2024131', undefined],
    ['DD.MM.YYYY', '29.02.2024', '2024-02-29'],
    ['DD.MM.YYYY', '29.02.2023', undefined],
    ['YYYY-MM-DD HH:mm', '2024-01-31 23:59', '2024-01-31T23:59:00Z'],
    ['YYYY-MM-DD HH:mm', '2024-01-31 24:00', undefined],
    ['YYYY-MM-DD HH:mm', '2024-01-31 23:60', undefined],
    ['YYYY-MM-DD HH:mm', '2024-01-31 9:5', '2024-01-31T09:05:00Z'],
    ['YYYY-MM-DD HH:mm', '2024-01-31 09:05:30', undefined],
    ['YYYY-MM-DD HH:mm:ss', '2024-01-31 09:05:60', undefined],
    ['YYYY-MM-DD HH:mm:ss', '2024-01-31 09:05:59', '2024-01-31T09:05:59Z'],
    ['unix', 0, '1970-01-01T00:00:00Z'],
    ['unix', -1, '1969-12-31T23:59:59Z'],
    ['unix', '1706695200', '2024-01-31T10:00:00Z'],
    ['unix', '1706695200.5', '2024-01-31T10:00:00Z'],
    ['unix', ' 1', undefined],
    ['unix', '1x', undefined],
    ['unix', 253_402_300_799, '9999-12-31T23:59:59Z'],
    ['unix', 253_402_300_800, undefined],
    ['unix_ms', 1_706_695_200_999, '2024-01-31T10:00:00Z'],
    ['unix_ms', '1706695200000', '2024-01-31T10:00:00Z'],
  ])('%s reads %j', (format, value, date) => {
    expect(dateReader(format)(value)).toBe(date);
  });

  it.each([
    ['unix', true, true],
    ['unix_ms', true, true],
    ['YYYY-MM-DD', true, false],
    ['YYYY-MM-DD HH:mm', true, true],
    ['YYYY-MM', false, false],
    ['MM-DD', false, false],
    ['YYYY-DD', false, false],
    ['YYYY-MM-DD-DD', false, false],
    ['', false, false],
    ['UNIX', false, false],
  ])('%j is a format: %s, with a time: %s', (format, good, timed) => {
    expect(dateFormatFault(format) === undefined).toBe(good);
    expect(hasTime(format)).toBe(timed);
  });
});

describe('transforms of lists and of what is nothing', () => {
  const number = compileTransform({ op: 'number', decimal: '.' }).change;
  const date = compileTransform({ op: 'date', format: 'YYYY-MM-DD' }).change;
  it.each<[string, (value: Json) => Json | undefined, Json, Json | undefined]>([
    ['an empty cell is no number', number, '  ', null],
    ['an empty cell is no date', date, '  ', null],
    ['null stays null', number, null, null],
    ['each of a list', number, ['1', null, ''], [1, null, null]],
    ['a list with one that does not fit', number, ['1', 'x'], undefined],
    ['a list inside a list', number, [['1']], undefined],
    ['a record', number, {}, undefined],
    ['yes or no', date, true, undefined],
  ])('%s', (_what, change, value, result) => {
    expect(change(value)).toEqual(result);
  });

  it('a text is split into ten thousand parts at most, and an empty one into none', () => {
    const split = compileTransform({ op: 'split', separator: ',' }).change;
    expect(split('')).toEqual([]);
    expect(split(','.repeat(9_999))).toHaveLength(10_000);
    expect(split(','.repeat(10_000))).toBeUndefined();
    expect(split(['a,b'])).toBeUndefined();
  });

  it('a replacement makes a text of a million characters at most, or no longer one than it was', () => {
    const double = compileTransform({ op: 'replace', find: 'a', with: 'bb' }).change;
    expect(double('a'.repeat(500_000))).toHaveLength(1_000_000);
    expect(double('a'.repeat(500_001))).toBeUndefined();
    expect(compileTransform({ op: 'replace', find: 'a', with: '' }).change('a'.repeat(1_100_000))).toBe('');
    expect(double('x'.repeat(1_100_000))).toHaveLength(1_100_000);
  });

  it('a map answers for texts, numbers, yes and no, and for what it does not know as it says', () => {
    const map = (otherwise?: Json) =>
      compileTransform({
        op: 'map',
        values: { a: 1, 2: 'two', true: null },
        ...(otherwise === undefined ? {} : { otherwise }),
      }).change;
    expect([map()('a'), map()(2), map()(true), map()('z'), map('?')('z'), map()({})]).toEqual([
      1,
      'two',
      null,
      'z',
      '?',
      undefined,
    ]);
  });
});

describe('paths', () => {
  const data: Json = {
    a: { b: { c: 1 }, list: [{ n: 'x' }, { n: 'y' }, {}], deep: [[1, 2], [3]] },
    'odd.key': { 'x[0]': 2 },
    list: [10, 20],
    none: null,
    toString: { own: 3 },
  };
  it.each<[string, Json | undefined]>([
    ['a.b.c', 1],
    ['a.b', { c: 1 }],
    ['a.b.c.d', undefined],
    ['a.x.c', undefined],
    ['none', null],
    ['none.x', undefined],
    ['none.x.y', undefined],
    ['list[0]', 10],
    ['list[2]', undefined],
    ['list.1', 20],
    ['list.x', undefined],
    ['list.1x', undefined],
    ['a[0]', undefined],
    ['a.list[1].n', 'y'],
    ['a.list[*].n', ['x', 'y', null]],
    ['a.list.0.n', 'x'],
    ['a.b[*]', undefined],
    ['a.deep[*][0]', [1, 3]],
    ['a.deep[*][*]', [[1, 2], [3]]],
    ['["odd.key"]["x[0]"]', 2],
    ['toString.own', 3],
    ['constructor', undefined],
    ['a.constructor', undefined],
    ['a.b.hasOwnProperty', undefined],
    ['__proto__', undefined],
  ])('%s', (path, value) => {
    const segments = parseDotPath(path) ?? [];
    expect(readDotPath(data, segments)).toEqual(value);
    expect(pathReader(segments)(data)).toEqual(value);
    expect(pathText(segments)).toBe(path);
  });

  it.each(['', '.a', 'a..b', 'a.', 'a[', 'a[x]', 'a[-1]', 'a]', '[""]', 'a["b]', 'a[1234567890]', 'a"b'])(
    '%j is none',
    (path) => {
      expect(parseDotPath(path)).toBeUndefined();
    },
  );

  it.each<Json>([null, 'text', 5, true, []])('in %j there is nothing', (value) => {
    for (const path of ['a', 'a.b', 'a.b.c']) expect(pathReader(parseDotPath(path) ?? [])(value)).toBeUndefined();
  });

  it.each<[string, string | undefined]>([
    ['a.b.c.d', 'a.b.c: a record'],
    ['a.b.c[0]', 'a.b.c: a list'],
    ['a[0].x', 'a: a list'],
    ['a.b[*].x', 'a.b: a list'],
    ['a.x.y', undefined],
    ['none.x', undefined],
    ['list.x', 'list: a record'],
    ['list.0.x', 'list.0: a record'],
    ['list[0].x', 'list[0]: a record'],
    ['a.list[*].q', undefined],
    ['["odd.key"].x[0]', undefined],
    ['["odd.key"][0]', '["odd.key"]: a list'],
  ])('%s ends early: %s', (path, fault) => {
    const blocked = pathFaultOf(data, parseDotPath(path) ?? []);
    expect(blocked === undefined ? undefined : `${blocked.path}: ${blocked.expected}`).toBe(fault);
  });
});
