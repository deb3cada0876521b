import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../../core/base/json';
import { evaluateExpr, parseCondition } from '../../../../core/expr/condition';
import { scopeLookup, type Scope } from '../support';

const scope: Scope = {
  list: ['a', 'b', 'c'],
  rows: [
    { id: 1, name: 'Ada', tags: ['x', 'y'] },
    { id: '12345678901234567890', name: 'Bob' },
    { id: 3, name: null },
    'no record',
  ],
  box: { one: 1, two: [2], 'a b': null },
  big: '12345678901234567890',
  day: '2024-02-29',
  at: '2024-03-31T23:30:15.250+02:00',
  nothing: null,
  party: 'a👍b',
};

function valueOf(text: string): Json | undefined {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problem.message}`);
  return evaluateExpr(parsed.value, scopeLookup(scope));
}

describe('choice', () => {
  it.each<[string, Json]>([
    ["if({list}, 'yes', 'no')", 'yes'],
    ["if({nothing}, 'yes', 'no')", 'no'],
    ["if({nothing}, 'yes')", null],
    ['case({nothing}, 1, {list}, 2, 3)', 2],
    ['case({nothing}, 1, false, 2, 3)', 3],
    ['case({nothing}, 1, false, 2)', null],
    ['if(true, {nothing}, 1)', null],
    // The other value is never made.
    ['if(true, 1, range(1000000000))', 1],
    ['case(true, 1, true, range(1000000000))', 1],
  ])('%s gives %j', (text, expected) => {
    expect(valueOf(text)).toEqual(expected);
  });
});

describe('texts', () => {
  it.each<[string, Json]>([
    ['concat({party}, 1, true, {nothing}, {list})', 'a👍b1true["a","b","c"]'],
    ['concat({nothing})', ''],
    ['substring({party}, 1, 1)', '👍'],
    ['substring({party}, -2)', '👍b'],
    ['substring({party}, 9)', ''],
    ['substring({party}, -9, 1)', 'a'],
    ['substring({party}, 0, -1)', null],
    ['substring({party}, 0.5)', null],
    ["split('a,,b', ',')", ['a', '', 'b']],
    ["split({party}, '')", ['a', '👍', 'b']],
    ["split('', ',')", ['']],
    ['split(1, 2)', null],
    ["join({list}, '')", 'abc'],
    ['join([1, {nothing}, true])', '1, true'],
    ['join([])', ''],
    ['join({party})', null],
    ["replace('a.b.c', '.', '-')", 'a-b-c'],
    ["replace('aaa', 'aa', 'b')", 'ba'],
    ["replace('a', 'a', '$&$1')", '$&$1'],
    ["replace('a', {nothing}, 'x')", null],
    ["pad(7, 3, '0')", '007'],
    ["pad({big}, 22, '0')", '0012345678901234567890'],
    ["pad('ab', 5, '👍-', 'right')", 'ab👍-👍'],
    ["pad('abc', 2)", 'abc'],
    ["pad('a', 3)", '  a'],
    ["pad('a', 3, '')", null],
    ["slug('  Ærø & Škoda — 50 % ')", 'ærø-skoda-50'],
    ["slug('!!!')", ''],
    ["slug('東京 2024')", '東京-2024'],
    ["contains({list}, 'b')", true],
    ["contains({box}, 'one')", true],
    ["contains({nothing}, 'one')", false],
    ["matches('Case 12', '(?i)^case [0-9]+$')", true],
    ["matches('aXb', '^[a-z]+$')", false],
    ["matches({nothing}, 'a')", false],
    ["matches('a', '(')", false],
    ["extract('a=1;b=22', 'b=([0-9]+)')", '22'],
    ["extract('a=1;b=22', '[a-z]=[0-9]+')", 'a=1'],
    ["extract('a=1;b=22', '(?P<key>[a-z])=(?P<value>[0-9]+)', 'value')", '1'],
    ["extract('a=1', '([a-z])=([0-9])', 0)", 'a=1'],
    ["extract('a=1', '([a-z])=([0-9])', 3)", null],
    ["extract('a=1', 'z')", null],
    ["extract('a', '(a)|(b)', 2)", null],
  ])('%s gives %j', (text, expected) => {
    expect(valueOf(text)).toEqual(expected);
  });
});

describe('lists and objects', () => {
  it.each<[string, Json]>([
    ['{list[-1]}', 'c'],
    ['at({list}, -1)', 'c'],
    ['at({list}, 3)', null],
    ['at({list}, 0.5)', null],
    ["at({box}, 'two')", [2]],
    ["at({box}, '__proto__')", null],
    ["at({box}, 'toString')", null],
    ['slice({list}, 1)', ['b', 'c']],
    ['slice({list}, -2, -1)', ['b']],
    ['slice({list}, 5)', []],
    ["slice('abc', 1)", null],
    ['range(3)', [0, 1, 2]],
    ['range(1, 4)', [1, 2, 3]],
    ['range(5, 0, -2)', [5, 3, 1]],
    ['range(0)', []],
    ['range(-3)', []],
    ['range(1, 2, 0)', null],
    ['range(1.5)', null],
    [
      "distinct([1, 1.0, '1', {big}, '12345678901234567890', [1], [1], {nothing}, {nothing}])",
      [1, '1', '12345678901234567890', [1], null],
    ],
    ['flatten([[1, [2]], 3, []])', [1, [2], 3]],
    ['flatten([[1, [2]], 3], 2)', [1, 2, 3]],
    ['flatten([[1]], 0)', [[1]]],
    ["flatten('a')", null],
    [
      'zip({list}, [1])',
      [
        ['a', 1],
        ['b', null],
        ['c', null],
      ],
    ],
    ["zip({list}, 'a')", null],
    ["lookup({rows}, 'id', 3)", { id: 3, name: null }],
    ["at(lookup({rows}, 'id', {big}), 'name')", 'Bob'],
    ["lookup({rows}, 'tags', ['x', 'y'])", { id: 1, name: 'Ada', tags: ['x', 'y'] }],
    ["lookup({rows}, 'id', 9)", null],
    ["lookup({rows}, 'name', null)", { id: 3, name: null }],
    ['keys({box})', ['one', 'two', 'a b']],
    ['values({box})', [1, [2], null]],
    ['keys({list})', null],
    ['merge({box}, {nothing}, {rows[0]})', { one: 1, two: [2], 'a b': null, id: 1, name: 'Ada', tags: ['x', 'y'] }],
    ['merge({box}, 1)', null],
    ["pick({box}, 'two', 'none')", { two: [2] }],
    ["pick({box}, ['one', 'a b'])", { one: 1, 'a b': null }],
    ['keys(from_json(\'{"__proto__": 1}\'))', ['__proto__']],
    ['merge(from_json(\'{"__proto__": {"x": 1}, "a": 1}\'), {nothing})', { a: 1 }],
  ])('%s gives %j', (text, expected) => {
    expect(valueOf(text)).toEqual(expected);
  });
});

describe('dates', () => {
  it.each<[string, Json]>([
    ['add_days({day}, 366)', '2025-03-01'],
    ['add_days({at}, 1)', '2024-04-01T23:30:15.250+02:00'],
    ["add_days('9999-12-31', 1)", null],
    ["add_days('2023-02-29', 1)", null],
    ['add_months({day}, 12)', '2025-02-28'],
    ['add_months({day}, -1)', '2024-01-29'],
    ["add_months('0001-01-31', -1)", null],
    ['add_hours({at}, 1)', '2024-04-01T00:30:15.250+02:00'],
    ['add_hours({day}, 25)', '2024-03-01T01:00:00Z'],
    ["add_hours('2024-01-01T00:00:00Z', -1)", '2023-12-31T23:00:00Z'],
    ["diff('2024-03-31T23:00:00+02:00', '2024-03-31T21:00:00Z', 'minutes')", 0],
    ["diff('2024-01-31', '2024-02-29', 'months')", 1],
    ["diff('2024-01-31', '2024-02-28', 'months')", 0],
    ["diff('2024-02-29', '2023-02-28', 'years')", -1],
    ["diff('2020-02-29', '2024-02-28', 'years')", 3],
    ["diff('2024-01-01', '2024-12-31', 'quarters')", 3],
    ["diff('2024-01-10', '2024-01-01', 'weeks')", -1],
    ["diff('2024-01-10', '2024-01-01', 'days')", -9],
    ["diff({day}, {day}, 'fortnights')", null],
    ["start_of('2024-03-03', 'week')", '2024-02-26'],
    ["start_of('2024-03-04', 'week')", '2024-03-04'],
    ["start_of('2024-12-31', 'quarter')", '2024-10-01'],
    ["start_of({at}, 'year')", '2024-01-01'],
    ["start_of({at}, 'day')", '2024-03-31'],
    ["start_of({at}, 'hour')", '2024-03-31T23:00:00+02:00'],
    ["start_of({day}, 'hour')", null],
    ["format_date({day}, 'dddd, D. MMMM YYYY', 'de')", 'Donnerstag, 29. Februar 2024'],
    ["format_date({day}, 'ddd D MMM YY', 'fr-CA')", 'jeu. 29 févr. 24'],
    ["format_date({at}, 'HH:mm:ss.SSS Z [Q]Q h A')", '23:30:15.250 +02:00 Q1 11 PM'],
    ["format_date('2024-01-01T00:05:00Z', 'h:mm a')", '12:05 am'],
    ["format_date({day}, 'D MMMM', 'tlh')", null],
    ["parse_date('7. märz 2024', 'D. MMMM YYYY', 'de')", '2024-03-07'],
    ["parse_date('Dec 1, 1999', 'MMM D, YYYY')", '1999-12-01'],
    ["parse_date('3/7/69', 'M/D/YY')", '1969-03-07'],
    ["parse_date('3/7/68', 'M/D/YY')", '2068-03-07'],
    ["parse_date('20240307', 'YYYYMMDD')", '2024-03-07'],
    ["parse_date('2024-03-07 02:05 PM', 'YYYY-MM-DD hh:mm A')", '2024-03-07T14:05:00Z'],
    ["parse_date('2024-03-07 14:05 -05:00', 'YYYY-MM-DD HH:mm Z')", '2024-03-07T14:05:00-05:00'],
    ["parse_date('2023-02-29', 'YYYY-MM-DD')", null],
    ["parse_date('2024-03-07 25:00', 'YYYY-MM-DD HH:mm')", null],
    ["parse_date('2024-03-07x', 'YYYY-MM-DD')", null],
    ["parse_date('13:05 PM 2024-03-07', 'hh:mm A YYYY-MM-DD')", null],
  ])('%s gives %j', (text, expected) => {
    expect(valueOf(text)).toEqual(expected);
  });
});

describe('numbers and conversions', () => {
  it.each<[string, Json]>([
    ['floor(-0.5)', -1],
    ['ceil(-0.5)', 0],
    ['floor(2)', 2],
    ["floor(number('12345678901234567890.5'))", '12345678901234567890'],
    ['mod(-7, 3)', 2],
    ['mod(7, -3)', -2],
    ['mod(0.3, 0.1)', 0],
    ['mod({big}, 7)', Number(12345678901234567890n % 7n)],
    ['mod(1, 0)', null],
    ['format_number(1234.5)', '1,234.5'],
    ['format_number(-1234567.005, 2)', '-1,234,567.01'],
    ['format_number(0.4, 0)', '0'],
    ["format_number({big}, 1, ' ')", '12 345 678 901 234 567 890.0'],
    ['format_number(999.995, 2)', '1,000.00'],
    ['format_number(1, 16)', null],
    ["format_number('1')", null],
    ['format_number(1e21)', '1,000,000,000,000,000,000,000'],
    ['format_number(0.05, 1)', '0.1'],
    ["json('a')", '"a"'],
    ['json({nothing})', 'null'],
    ['from_json(\'{"a": 12345678901234567890}\')', { a: '12345678901234567890' }],
    ["from_json('{')", null],
    ["from_json('1')", 1],
    ["base64('')", ''],
    ["base64('é')", 'w6k='],
    ["base64('abc')", 'YWJj'],
    ['base64({list})', null],
    ["url_encode('/?&=#%+ é\"')", '%2F%3F%26%3D%23%25%2B%20%C3%A9%22'],
    ['url_encode("!\'()*")', '%21%27%28%29%2A'],
    ["url_encode('\\ud800')", '%EF%BF%BD'],
    ["sha256('')", 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ])('%s gives %j', (text, expected) => {
    expect(valueOf(text)).toEqual(expected);
  });
});
