import { describe, expect, it } from '@jest/globals';
import { COMPANY, expectOnly, expectProblems, playbook, SAVE, validate } from '../harness';

const ask = (name: string, more = ''): string => `{name: ${name}, step_type: approval${more}}`;

describe('models', () => {
  it('an llm_task declares what it returns', () => {
    expectProblems(playbook('  - {name: j, step_type: llm_task, action: llm_analyze}'), [
      {
        code: 'missing_output_schema',
        at: '{name: j',
        message: 'An llm_task needs an `output_schema`: later steps can only use fields that it declares.',
      },
    ]);
    expectProblems(playbook('  - {name: j, step_type: llm_task, action: llm_analyze, output_schema: {type: object}}'), [
      {
        code: 'missing_output_schema',
        at: '{type: object}',
        message: 'The `output_schema` of an llm_task declares no field, so later steps cannot use the result.',
      },
    ]);
  });

  it('the model of a route returns a label', () => {
    const route = (schema: string): string =>
      playbook(`  - {name: r, route: {on: {action: llm_analyze${schema}}, routes: {a: [${ask('x')}]}}}`);
    expect(validate(route(''))).toEqual([]);
    expect(validate(route(', output_schema: {fields: [{name: label, type: string}]}'))).toEqual([]);
    expectProblems(route(', output_schema: {fields: [{name: kind, type: string}]}'), [
      { code: 'missing_output_schema', at: '{fields', step: 'r_router' },
    ]);
  });

  it('a deterministic playbook has none, not even below', () => {
    const text = playbook(
      `  - {name: j, step_type: llm_task, action: llm_analyze, output_schema: {fields: [{name: x}]}}
  - {name: r, route: {on: {action: llm_analyze}, routes: {a: [${ask('x')}]}}}
  - {name: s, action: run_playbook, playbook: chatty}
  - {name: t, action: run_playbook, playbook: child, inputs: {company: "{j.x}"}}`,
      'execution_mode: deterministic',
    );
    expectProblems(text, [
      {
        code: 'model_not_allowed',
        at: 'llm_analyze',
        step: 'j',
        message: 'The playbook is deterministic, but `j` calls a model.',
      },
      { code: 'model_not_allowed', at: 'llm_analyze', step: 'r_router' },
      {
        code: 'model_not_allowed',
        at: 'chatty',
        step: 's',
        message: 'The playbook is deterministic, but `s` runs `chatty`, which is hybrid.',
      },
    ]);
  });
});

describe('secrets', () => {
  it('have no place in a playbook', () => {
    const text = `${playbook(`  - {name: a, ${SAVE.replace('table_name: t', 'table_name: {secret: t}')}, inputs: {data: [{key: {secret: canary}}]}}`)}
output: {destinations: [{type: folder, config: {password: {secret: x}}}]}`;
    expectOnly(
      text,
      ['secret_not_allowed'],
      [
        { code: 'secret_not_allowed', at: '{secret: t}', field: 'params.table_name' },
        { code: 'secret_not_allowed', at: '{secret: canary}', field: 'inputs.data[0].key' },
        { code: 'secret_not_allowed', at: '{secret: x}', field: 'output.destinations[0].config.password' },
      ],
    );
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

  it('warns when a row expression names something of the run', () => {
    expectProblems(transform('{type: filter, expression: "{pay} > {top}"}'), [
      {
        code: 'row_expression_scope',
        at: 'top}',
        severity: 'warning',
        suggestion: 'Add top: "{top}" to the inputs of the step, unless the rows have a field of that name.',
      },
    ]);
    expect(validate(transform('{type: filter, expression: "{pay} > {top}"}', '{data: [], top: "{top}"}'))).toEqual([]);
  });
});

describe('destinations', () => {
  const output = (destination: string): string =>
    `${playbook(`  - ${ask('a')}`, COMPANY)}\noutput: {destinations: [${destination}]}`;
  const route = (destination: string): string =>
    playbook(
      `  - {name: r, step_type: tool, action: route_output, inputs: {data: []}, params: {destinations: [${destination}]}}`,
    );

  it.each([
    '{type: document, config: {filename_template: "{title} {company} {date}", folder: reviews}}',
    '{type: folder, format: csv, config: {folder_id: reviews, create_if_missing: false}}',
    '{type: file_export, format: xlsx}',
    '{type: data_workspace_table, config: {table_name: t, upsert_key: [a, b], schema_mapping: {a: b}}}',
    '{type: append_to_existing, config: {document: notes}}',
    '{type: chat}',
  ])('%s is fine', (destination) => {
    expect(validate(output(destination))).toEqual([]);
    expect(validate(route(destination.replaceAll('{title} {company} {date}', '{{title}} {{date}}')))).toEqual([]);
  });

  it.each([
    ['{type: folder}', 'missing_required', undefined],
    ['{type: append_to_existing, config: {}}', 'missing_required', undefined],
    ['{type: document, config: {file_name: x}}', 'unknown_field', 'Did you mean `filename`?'],
    ['{type: chat, config: {to: x}}', 'unknown_field', 'It has no settings.'],
    ['{type: document, config: {folder_id: 7}}', 'type_mismatch', undefined],
    ['{type: data_workspace_table, config: {create_if_missing: "yes"}}', 'type_mismatch', undefined],
  ])('%s', (destination, code, suggestion) => {
    for (const text of [output(destination), route(destination)]) {
      expect(validate(text).map((problem) => [problem.code, problem.suggestion])).toEqual([[code, suggestion]]);
    }
  });

  it('a file name has words of its own', () => {
    expectProblems(output('{type: file_export, config: {filename_template: "{titel} {a.decision}"}}'), [
      { code: 'unresolved_reference', at: 'titel}', suggestion: 'Did you mean {title}?' },
      { code: 'unresolved_reference', at: 'a.decision', message: 'A file name knows no word `a`.' },
    ]);
  });

  it.each([
    ['{type: docment}', 'docment', 'Write document.'],
    ['{format: csv}', '{format', undefined],
    ['{type: document, format: pdf}', 'pdf', undefined],
  ])('%s in a step', (destination, at, suggestion) =>
    expectProblems(route(destination), [{ code: 'invalid_value', at, suggestion }]),
  );
});
