import { describe, expect, it } from '@jest/globals';
import { COMPANY, expectProblems, playbook, validate } from '../harness';

const CODES = [
  'invalid_operation',
  'unknown_field',
  'type_mismatch',
  'invalid_value',
  'unresolved_reference',
  'invalid_expression',
  'row_expression_scope',
];
/** `code field` of each problem of one operation over records of which nothing is known. */
const faults = (operation: string): string[] =>
  validate(
    playbook(
      `  - {name: t, step_type: tool, action: transform_data, inputs: {data: [], other: []}, operations: [${operation}]}\n  - {name: g, step_type: approval, preview_from: t.data}`,
    ),
  ).map(({ code, field }) => `${code} ${(field ?? '').replace('params.operations[0]', '').replace(/^\./, '')}`.trim());

describe('an operation of transform_data', () => {
  it.each<[string, string[]]>([
    ['{type: filter, field: a, value: 1}', []],
    ['{type: filter, field: a, operator: is_null}', []],
    ['{type: filter, field: a, operator: not_null}', []],
    ['{type: filter, field: a, operator: gt}', ['invalid_operation']],
    ['{type: filter, field: a}', ['invalid_operation']],
    ['{type: filter, field: a, value: null}', []],
    ['{type: filter, expression: "{a} > 1"}', []],
    ['{type: filter, field: a, expression: "{a} > 1"}', []],
    ['{type: filter}', ['invalid_operation']],
    ['{type: filter, field: null, value: 1}', ['invalid_operation']],
    ['{type: filter, field: a, operator: like, value: 1}', ['invalid_value operator']],
    ['{type: filter, field: a, operator: "{x}", value: 1}', ['nonexistent_step operator']],
    ['{type: filter, field: a, value: 1, case_insensitive: "yes"}', ['type_mismatch case_insensitive']],
    ['{type: filter, expression: 5}', ['type_mismatch expression']],
    ['{type: sort, field: a}', []],
    ['{type: sort, by: [a, {field: b, direction: desc}]}', []],
    ['{type: sort}', ['invalid_operation']],
    ['{type: sort, field: a, direction: up}', ['invalid_value direction']],
    ['{type: sort, field: 5}', ['type_mismatch field']],
    ['{type: aggregate, op: count}', []],
    ['{type: aggregate, function: sum, field: a}', []],
    ['{type: aggregate, group_by: a}', ['invalid_operation']],
    ['{type: aggregate, metrics: [{op: sum, field: a, as: b}]}', []],
    ['{type: aggregate, metrics: [{op: total, field: a}]}', ['invalid_value metrics[0].op']],
    ['{type: aggregate, metrics: [{op: sum, filed: a}]}', ['unknown_field metrics[0].filed']],
    ['{type: aggregate, metrics: [sum]}', ['type_mismatch metrics[0]']],
    ['{type: aggregate, metrics: sum}', ['type_mismatch metrics']],
    ['{type: deduplicate}', []],
    ['{type: deduplicate, keep: last}', []],
    ['{type: deduplicate, keep: newest}', ['invalid_value keep']],
    ['{type: limit, count: 5}', []],
    ['{type: limit, offset: 5}', []],
    ['{type: limit}', ['invalid_operation']],
    ['{type: limit, count: 1.5}', ['type_mismatch count']],
    ['{type: limit, count: "5"}', ['type_mismatch count']],
    ['{type: limit, count: "{top}"}', ['nonexistent_step count']],
    ['{type: select, fields: [a]}', []],
    ['{type: select}', ['invalid_operation']],
    ['{type: rename, fields: {a: b}}', []],
    ['{type: rename, mapping: [a]}', ['type_mismatch mapping']],
    ['{type: rename}', ['invalid_operation']],
    ['{type: compute, as: a, expression: "{b} + 1"}', []],
    ['{type: compute, fields: [{as: a, expression: "1"}]}', []],
    ['{type: compute, fields: [{expression: "1"}]}', ['invalid_operation fields[0]']],
    ['{type: compute}', ['invalid_operation']],
    ['{type: flatten, field: a}', []],
    ['{type: flatten}', ['invalid_operation']],
    ['{type: flatten, field: a, keep_empty: 1}', ['type_mismatch keep_empty']],
    ['{type: join, with: other, on: a}', []],
    ['{type: join, with: other}', ['invalid_operation']],
    ['{type: join, on: a}', ['invalid_operation']],
    ['{type: join, with: other, on: a, how: outer}', ['invalid_value how']],
    ['{type: previous, fields: [a]}', []],
    ['{type: previous, order_by: a}', ['invalid_operation']],
    ['{type: concat, with: other}', []],
    ['{type: concat}', ['invalid_operation']],
    ['{type: concat, with: other, on: a}', ['unknown_field on']],
    ['{type: constructor}', ['invalid_operation type']],
    ['{type: fliter}', ['invalid_operation type']],
    ['{field: a}', ['invalid_operation type']],
    ['{type: 5}', ['invalid_operation type']],
  ])('%s', (operation, expected) => {
    expect(faults(operation)).toEqual(expected);
  });

  it('that cannot be read says so at its place', () => {
    expect(faults('{type: filter, expression: "{a} >"}')[0]).toMatch(/expression$/);
    expect(faults('{type: filter, expression: "{a} >"}')).toHaveLength(1);
  });

  it.each(['"{company}"', '5', '{type: sort}', 'null', '["{company}"]'])(
    'is looked for in a list alone: %s',
    (operations) => {
      const text = playbook(
        `  - {name: t, step_type: tool, action: transform_data, inputs: {data: []}, operations: ${operations}}\n  - {name: g, step_type: approval, prompt: "{t.data[0].x} {t.count}"}`,
        'inputs: [{name: company, type: any}]',
      );
      expect(validate(text).filter(({ step }) => step === 'g')).toEqual([]);
    },
  );

  it('is suggested where its name is nearly right, and all are named where it is not', () => {
    const suggestions = (type: string): string | undefined =>
      validate(
        playbook(
          `  - {name: t, step_type: tool, action: transform_data, inputs: {data: []}, operations: [{type: ${type}}]}`,
        ),
      ).find(({ code }) => CODES.includes(code))?.suggestion;
    expect(suggestions('fliter')).toBe('Did you mean `filter`?');
    expect(suggestions('zzzzzz')).toMatch(/filter, sort.*concat/);
  });
});

describe('operations of transform_data', () => {
  const transform = (operation: string, inputs = '{data: []}'): string =>
    playbook(
      `  - {name: t, step_type: tool, action: transform_data, inputs: ${inputs}, params: {operations: [${operation}]}}`,
      COMPANY,
    );

  it.each([
    '{type: filter, field: a, operator: gte, value: 3}',
    '{type: filter, field: a, operator: is_null}',
    '{type: filter, field: a, operator: in, value: "{names}"}',
    '{type: filter, expression: "{pay} > 3 AND {name} is defined"}',
    '{type: sort, field: a, direction: desc}',
    '{type: sort, by: [a, {field: b, direction: desc}]}',
    '{type: aggregate, group_by: [a], metrics: [{op: sum, field: pay, as: total}, {op: count}]}',
    '{type: aggregate, group_by: a, operator: count}',
    '{type: deduplicate, fields: [a], keep: last}',
    '{type: limit, count: 3, offset: 1}',
    '{type: limit, count: "{top}"}',
    '{type: select, fields: [a, {field: b.c, as: d}]}',
    '{type: rename, fields: {a: b}}',
    '{type: compute, as: share, expression: "{pay} / {total}"}',
    '{type: compute, fields: [{as: x, expression: "1"}]}',
    '{type: flatten, field: officers, keep: [ein]}',
    '{type: join, with: other, on: ein, how: left}',
    '{type: previous, group_by: ein, order_by: year, fields: [revenue]}',
    '{type: concat, with: other}',
  ])('%s is fine', (operation) => expect(validate(transform(operation))).toEqual([]));

  it.each([
    ['{type: fliter, field: a}', 'invalid_operation', 'fliter', 'Did you mean `filter`?'],
    ['{field: a}', 'invalid_operation', '{field: a}', expect.stringContaining('Known operations: filter, sort')],
    ['{type: filter, value: 3}', 'invalid_operation', '{type: filter', undefined],
    ['{type: filter, field: a, operator: gt}', 'invalid_operation', '{type: filter', undefined],
    ['{type: filter, field: a, operator: greater, value: 1}', 'invalid_value', 'greater', undefined],
    ['{type: filter, feild: a, field: b, value: 1}', 'unknown_field', 'feild', 'Did you mean `field`?'],
    ['{type: sort, field: 3}', 'type_mismatch', '3}', undefined],
    ['{type: sort}', 'invalid_operation', '{type: sort}', undefined],
    ['{type: aggregate, metrics: [{op: median, field: a}]}', 'invalid_value', 'median', undefined],
    ['{type: aggregate, metrics: [{operation: sum}]}', 'unknown_field', 'operation', undefined],
    ['{type: aggregate, metrics: [sum]}', 'type_mismatch', 'sum]', undefined],
    ['{type: limit, count: ten}', 'type_mismatch', 'ten', undefined],
    ['{type: flatten}', 'invalid_operation', '{type: flatten}', undefined],
    ['{type: join, on: a}', 'invalid_operation', '{type: join', undefined],
    ['{type: compute, as: x, expression: "{pay} /"}', 'invalid_expression', '"}', undefined],
    ['{type: compute, as: x, expression: 3}', 'type_mismatch', '3}', undefined],
    ['{type: compute, fields: [{expression: "1"}]}', 'invalid_operation', '{expression', undefined],
    ['7', 'type_mismatch', '7]', undefined],
  ])('%s', (operation, code, at, suggestion) => {
    const found = validate(transform(operation));
    expect(found.map((problem) => problem.code)).toEqual([code]);
    if (suggestion !== undefined) expect(found[0]?.suggestion).toEqual(suggestion);
    if (code !== 'invalid_expression') expectProblems(transform(operation), [{ code, at }]);
  });
});
