import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import type { InputDeclaration, InputType } from '../../../core/playbook/types';
import { checkRunInputs } from '../../../core/validate/run-inputs';

const DECLARED: InputDeclaration[] = [
  { name: 'company', type: 'entity_name', required: true, description: 'Who to look at.' },
  { name: 'since', type: 'date', required: false, default: '2019-01-01' },
  { name: 'limit', type: 'integer', required: false },
];

describe('inputs of a run', () => {
  it('takes what was given and fills in defaults', () => {
    expect(checkRunInputs(DECLARED, { company: 'Ford' })).toEqual({
      values: { company: 'Ford', since: '2019-01-01' },
      problems: [],
    });
    expect(checkRunInputs(DECLARED, { company: 'Ford', since: '2020-02-29', limit: 3 }).values).toEqual({
      company: 'Ford',
      since: '2020-02-29',
      limit: 3,
    });
  });

  it('an empty value counts as not given', () => {
    expect(checkRunInputs(DECLARED, { company: null, since: null })).toEqual({
      values: { since: '2019-01-01' },
      problems: [
        {
          severity: 'error',
          code: 'missing_required',
          field: 'inputs.company',
          message: 'The input `company` (entity_name) is required. Who to look at.',
        },
      ],
    });
  });

  it('null stays null where there is no default, and where the default is null', () => {
    const declared: InputDeclaration[] = [
      { name: 'note', type: 'string', required: false, default: null },
      { name: 'must', type: 'string', required: true, default: null },
      { name: 'limit', type: 'integer', required: false },
    ];
    expect(checkRunInputs(declared, { must: 'x' })).toEqual({ values: { note: null, must: 'x' }, problems: [] });
    expect(checkRunInputs(declared, { must: 'x', limit: null }).values).toEqual({ note: null, must: 'x', limit: null });
    expect(checkRunInputs(declared, { must: null }).problems).toMatchObject([{ code: 'missing_required' }]);
  });

  it('reports all problems at once', () => {
    const { problems } = checkRunInputs(DECLARED, { compny: 'Ford', since: 'soon', limit: 1.5, __proto__x: 1 });
    expect(
      problems.map((problem) => `${problem.field}: ${problem.message} ${problem.suggestion ?? ''}`.trim()),
    ).toEqual([
      'inputs.compny: The playbook has no input `compny`. Did you mean `company`?',
      'inputs.__proto__x: The playbook has no input `__proto__x`. Known inputs: company, since, limit.',
      'inputs.company: The input `company` (entity_name) is required. Who to look at.',
      'inputs.since: The input `since` is the text "soon", but a date written YYYY-MM-DD is expected.',
      'inputs.limit: The input `limit` is the number 1.5, but a whole number is expected.',
    ]);
  });

  it('own fields only', () => {
    const inherited = Object.create({ company: 'Ford' }) as { [key: string]: Json };
    expect(checkRunInputs(DECLARED, inherited).problems.map((problem) => problem.code)).toEqual(['missing_required']);
    expect(checkRunInputs([{ name: 'constructor', type: 'any', required: true }], {}).problems).toHaveLength(1);
  });

  it.each([['a'], [7], [[]], [true]])('%j is no object', (given) => {
    expect(checkRunInputs(DECLARED, given as Json).problems).toEqual([
      expect.objectContaining({ code: 'invalid_type', field: 'inputs' }),
    ]);
  });

  it('nothing given is an empty object', () => {
    expect(checkRunInputs([], undefined)).toEqual({ values: {}, problems: [] });
    expect(checkRunInputs([], null)).toEqual({ values: {}, problems: [] });
  });

  const types: [InputType, Json[], Json[]][] = [
    ['string', ['', 'x'], [1, [], {}, true]],
    ['entity_name', ['x'], [1]],
    ['number', [0, -1.5], ['1', true]],
    ['integer', [0, -7, 3.0], [1.5, '1']],
    ['boolean', [true, false], ['true', 1]],
    [
      'date',
      ['2020-02-29', '2020-01-01T10:00:00Z', '2020-01-01T10:00:00+02:00'],
      ['2019-02-29', '2020-1-1', '20200101', '2020-01-01T25:00', 'x', 20200101],
    ],
    ['list', [[], [1, 'a']], [{}, 'a']],
    ['object', [{}, { a: 1 }], [[], 'a']],
    ['any', ['x', 1, [], {}, true], []],
  ];
  it.each(types)('%s', (type, right, wrong) => {
    const declared: InputDeclaration[] = [{ name: 'x', type, required: true }];
    for (const value of right)
      expect(checkRunInputs(declared, { x: value })).toEqual({ values: { x: value }, problems: [] });
    for (const value of wrong)
      expect(checkRunInputs(declared, { x: value }).problems).toEqual([
        expect.objectContaining({ code: 'type_mismatch' }),
      ]);
  });
});
