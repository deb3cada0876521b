import { describe, expect, it } from '@jest/globals';
import { DESTINATIONS } from '../../../core/actions/destinations';
import { fieldSchema } from '../../../core/actions/edit-schema';
import { countOption, flagOption, namesOption, recordsInput, textOption } from '../../../core/actions/option-reader';
import { TRANSFORM_OPERATIONS } from '../../../core/actions/transform';
import type { Json } from '../../../core/base/json';

/** Value read, or the code of its refusal. */
function read(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('settings that a reference may have brought', () => {
  it.each<[Json | undefined, unknown]>([
    [undefined, undefined],
    [null, undefined],
    ['', undefined],
    ['a', 'a'],
    [5, '5'],
    [true, 'invalid_params'],
    [['a'], 'invalid_params'],
  ])('%j as text', (value, text) => {
    expect(read(() => textOption(value === undefined ? {} : { o: value }, 'o'))).toBe(text);
  });
  it.each<[Json | undefined, unknown]>([
    [undefined, true],
    [null, true],
    [true, true],
    [false, false],
    ['true', 'invalid_params'],
    [0, 'invalid_params'],
  ])('%j as true or false, where true is meant without', (value, flag) => {
    expect(read(() => flagOption(value === undefined ? {} : { o: value }, 'o', true))).toBe(flag);
  });
  it.each<[Json | undefined, unknown]>([
    [undefined, 7],
    [null, 7],
    [1, 1],
    [10, 10],
    [11, 'invalid_params'],
    [0, 'invalid_params'],
    [-1, 'invalid_params'],
    [1.5, 'invalid_params'],
    ['5', 'invalid_params'],
  ])('%j as a count up to ten, where seven is meant without', (value, count) => {
    expect(read(() => countOption(value === undefined ? {} : { o: value }, 'o', { fallback: 7, most: 10 }))).toBe(
      count,
    );
  });
  it.each<[Json | undefined, unknown]>([
    [undefined, []],
    [null, []],
    ['', []],
    ['a', ['a']],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [[], []],
    [[''], 'invalid_params'],
    [['a', 5], 'invalid_params'],
    [5, 'invalid_params'],
    [{ a: 1 }, 'invalid_params'],
  ])('%j as names', (value, names) => {
    expect(read(() => namesOption(value === undefined ? {} : { o: value }, 'o'))).toEqual(names);
  });
  it('say which one is wrong, and never inherit', () => {
    expect(() => textOption({ o: true }, 'o')).toThrow(
      expect.objectContaining({ category: 'validation', details: { field: 'o' } }),
    );
    expect(textOption({}, 'constructor')).toBeUndefined();
  });
});

describe('the records of an input', () => {
  it.each<[Json | undefined, unknown]>([
    [{ a: 1 }, [{ a: 1 }]],
    [
      [{ a: 1 }, null, { b: 2 }],
      [{ a: 1 }, { b: 2 }],
    ],
    [[], []],
    [[null], []],
    [undefined, 'missing_data'],
    [null, 'missing_data'],
    ['a', 'invalid_data'],
    [[1], 'invalid_data'],
    [[[]], []],
    [
      [[{ a: 1 }], [], [{ b: 2 }, { c: 3 }]],
      [{ a: 1 }, { b: 2 }, { c: 3 }],
    ],
    [[[{ a: 1 }], ['x']], 'invalid_data'],
  ])('%j', (value, records) => {
    expect(read(() => recordsInput(value, 'data').records)).toEqual(records);
  });
  it('left out because they are null are told', () => {
    const [told] = recordsInput([null, [{ a: 1 }, null]], 'data').warnings;
    expect(told).toEqual({
      code: 'null_records',
      count: 2,
      message: '2 of 3 elements of `data` are null and left out.',
    });
    expect(recordsInput([{ a: 1 }], 'data').warnings).toEqual([]);
  });
  it('that are none are named with their place', () => {
    expect(() => recordsInput([{ a: 1 }, 5], 'data')).toThrow(/Element 2 of `data`/);
    expect(() => recordsInput(null, 'data')).toThrow(expect.objectContaining({ category: 'validation' }));
  });
});

it('destinations that receive nothing yet are known', () => {
  const waiting = Object.entries(DESTINATIONS).flatMap(([name, { available }]) => (available ? [] : [name]));
  expect(waiting).toEqual(expect.arrayContaining(['knowledge_graph', 'data_workspace_db']));
  expect(waiting).not.toEqual(expect.arrayContaining(['document']));
});

it.each<[string, object]>([
  ['string', { type: 'string' }],
  ['integer', { type: 'integer' }],
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  ['any', {}],
])('what a person may give for a field of type %s', (type, schema) => {
  expect(fieldSchema({ name: 'a', type })).toEqual(schema);
});

it('what may be chosen in an operation has what is meant without a choice', () => {
  const choices = Object.values(TRANSFORM_OPERATIONS).flatMap(({ fields }) =>
    fields.flatMap((field) => [field, ...(field.fields ?? [])]).filter((field) => field.enum !== undefined),
  );
  expect(choices.length).toBeGreaterThan(5);
  for (const { enum: names, default: meant } of choices) {
    expect(names?.length).toBeGreaterThan(1);
    if (meant !== undefined) expect(names).toContain(meant);
  }
});
