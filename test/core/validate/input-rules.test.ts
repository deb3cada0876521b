import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import type { InputDeclaration } from '../../../core/playbook/types';
import { checkRunInputs } from '../../../core/validate/run-inputs';

const GATE = 'steps: [{name: g, step_type: approval}]';

function declared(input: string): InputDeclaration[] {
  const { plan, problems } = parsePlaybook(`id: p\ninputs: [{name: a, ${input}}]\n${GATE}`);
  if (!plan) throw new Error(JSON.stringify(problems));
  return plan.inputs;
}

const said = (input: string, a: Json): string => {
  const [problem] = checkRunInputs(declared(input), { a }).problems;
  return problem === undefined ? 'fits' : `${problem.code}: ${problem.message}`;
};

describe('a value at the start of a run', () => {
  it.each<[string, Json, string]>([
    ['enum: [high, low]', 'low', 'fits'],
    [
      'enum: [high, low]',
      'Low',
      'invalid_value: The input `a` is the text "Low", but one of "high", "low" is expected.',
    ],
    ['type: integer, enum: [1, 2]', 3, 'invalid_value: The input `a` is the number 3, but one of 1, 2 is expected.'],
    ['type: list, enum: [[1], [2]]', [2], 'fits'],
    ['type: number, min: 0, max: 1', 1, 'fits'],
    [
      'type: number, min: 0, max: 1',
      1.01,
      'invalid_value: The input `a` is the number 1.01, but at most 1 is expected.',
    ],
    ['type: integer, min: 5', 4, 'invalid_value: The input `a` is the number 4, but at least 5 is expected.'],
    [
      'type: integer, max: 5',
      '12345678901234567890',
      'invalid_value: The input `a` is the text "12345678901234567890", but at most 5 is expected.',
    ],
    [
      'type: date, min: 2020-01-01',
      '2019-12-31',
      'invalid_value: The input `a` is the text "2019-12-31", but at least 2020-01-01 is expected.',
    ],
    ['type: date, max: 2020-01-01', '2020-01-01T23:00:00Z', 'fits'],
    ['min: 2, max: 3', '👍👍', 'fits'],
    [
      'min: 2, max: 3',
      '1234',
      'invalid_value: The input `a` is the text "1234" with 4 characters, but at most 3 are expected.',
    ],
    ['max: 30', '12345678901234567890', 'fits'],
    [
      'type: list, min: 1',
      [],
      'invalid_value: The input `a` is a list with 0 elements, but at least 1 elements are expected.'.replace(
        '1 elements',
        '1',
      ),
    ],
    ['pattern: "^[0-9]{9}$"', '530196605', 'fits'],
    [
      'pattern: "^[0-9]{9}$"',
      '53-0196605',
      'invalid_value: The input `a` is the text "53-0196605", which does not match the pattern ^[0-9]{9}$.',
    ],
    ['type: integer, min: 5', 'x', 'type_mismatch: The input `a` is the text "x", but a whole number is expected.'],
    [
      'type: list, fields: [{name: ein, type: string, required: true}, {name: n, type: integer}]',
      [{ ein: '1', n: 2, more: 1 }],
      'fits',
    ],
    [
      'type: list, fields: [{name: ein, type: string, required: true}]',
      [{ ein: '1' }, { ein: null }],
      'invalid_value: The input `a` has no `ein` in element 1, which is required.',
    ],
    [
      'type: list, fields: [{name: n, type: integer}]',
      [{ n: 1.5 }],
      'invalid_value: The input `a` has a `n` in element 0 that is the number 1.5, but a whole number is expected.',
    ],
    [
      'type: list, fields: [{name: n}]',
      [5],
      'invalid_value: The input `a` has the number 5 in element 0, but records are expected.',
    ],
    [
      'type: object, fields: [{name: n, required: true}]',
      {},
      'invalid_value: The input `a` has no `n`, which is required.',
    ],
  ])('%s: %j', (input, value, expected) => {
    expect(said(input, value)).toBe(expected);
  });

  it('may be absent where the input is not required', () => {
    expect(checkRunInputs(declared('enum: [x]'), {}).problems).toEqual([]);
    expect(checkRunInputs(declared('enum: [x]'), { a: null }).problems).toEqual([]);
  });
});

describe('saving', () => {
  it.each([
    ['enum: []', 'invalid_value inputs[0].enum'],
    ['type: integer, enum: [1, x]', 'type_mismatch inputs[0].enum'],
    ['enum: [a, b], default: c', 'type_mismatch inputs[0].default'],
    ['type: number, min: 2, max: 1', 'invalid_value inputs[0].min'],
    ['type: number, min: x', 'invalid_type inputs[0].min'],
    ['type: boolean, min: 1', 'field_not_allowed inputs[0].min'],
    ['type: date, min: 5', 'type_mismatch inputs[0].min'],
    ['min: -1', 'invalid_value inputs[0].min'],
    ['pattern: "("', 'invalid_value inputs[0].pattern'],
    ['type: list, pattern: "a"', 'field_not_allowed inputs[0].pattern'],
    ['fields: [{name: x}]', 'field_not_allowed inputs[0].fields'],
    ['type: list, fields: [{name: x}, {name: x}]', 'duplicate_name inputs[0].fields[1].name'],
    ['type: list, fields: [{name: x, size: 3}]', 'unknown_field inputs[0].fields[0].size'],
    ['type: integer, min: 3, default: 2', 'type_mismatch inputs[0].default'],
  ])('refuses %s', (input, expected) => {
    const { problems } = parsePlaybook(`id: p\ninputs: [{name: a, ${input}}]\n${GATE}`);
    expect(
      problems.filter(({ severity }) => severity === 'error').map(({ code, field }) => `${code} ${field ?? ''}`),
    ).toContain(expected);
  });

  it('keeps label and group', () => {
    expect(declared('label: Company, group: What, description: d')).toEqual([
      { name: 'a', type: 'string', label: 'Company', group: 'What', description: 'd', required: false },
    ]);
  });
});
