import { describe, expect, it } from '@jest/globals';
import { COMPANY, expectOnly, expectProblems, playbook, PULL, validate, type Expected } from '../harness';

const CODES = ['unresolved_reference', 'row_expression_scope'];
/** A transform over the filings, which have `ein`, `revenue` and `officers`. */
const over = (operations: string, more = ''): string =>
  playbook(
    `${PULL}  - {name: t, step_type: tool, action: transform_data, inputs: {data: "{pull.results}"${more}}, operations: [${operations}]}`,
    COMPANY,
  );
const faults = (text: string): string[] =>
  validate(text)
    .filter(({ code }) => CODES.includes(code))
    .map(({ message }) => message);

describe('a field that the records are known not to have', () => {
  it('grants.yaml: is an error at its place, with the known fields', () => {
    expectOnly(over('{type: select, fields: [ein, revenu]}'), CODES, [
      {
        code: 'unresolved_reference',
        at: 'revenu]',
        step: 't',
        field: 'params.operations[0].fields[1]',
        severity: 'error',
        message: 'The records here have no field `revenu`.',
        suggestion: 'Did you mean `revenue`? Known fields: ein, revenue, officers.',
      },
    ]);
  });

  it.each([
    '{type: select, fields: [{field: tax_year, as: y}]}',
    '{type: sort, field: tax_year}',
    '{type: sort, by: [ein, {field: tax_year, direction: desc}]}',
    '{type: filter, field: tax_year, value: 1}',
    '{type: filter, expression: "{tax_year} > 1"}',
    '{type: aggregate, group_by: tax_year, op: count}',
    '{type: aggregate, op: sum, field: tax_year}',
    '{type: aggregate, metrics: [{op: sum, field: tax_year, as: s}]}',
    '{type: deduplicate, fields: [tax_year]}',
    '{type: rename, fields: {tax_year: y}}',
    '{type: rename, mapping: {tax_year: y}}',
    '{type: compute, as: y, expression: "{tax_year} + 1"}',
    '{type: compute, fields: [{as: y, expression: "{tax_year} + 1"}]}',
    '{type: flatten, field: tax_year, as: y}',
    '{type: flatten, field: officers, keep: [tax_year]}',
    '{type: previous, group_by: tax_year, fields: [ein]}',
    '{type: previous, order_by: tax_year, fields: [ein]}',
    '{type: previous, fields: [tax_year]}',
    '{type: join, with: more, on: tax_year}',
    '{type: join, with: more, on: {left: tax_year, right: ein}}',
  ])('%s', (operation) => {
    const [first] = faults(over(operation, ', more: "{pull.results}"'));
    expect(first).toBe('The records here have no field `tax_year`.');
  });

  it('of the other side of a join', () => {
    expect(
      faults(over('{type: join, with: more, on: {left: ein, right: tax_id}}', ', more: "{pull.results}"')),
    ).toEqual(['The records of `more` have no field `tax_id`.']);
  });

  it.each([
    ['officers.0.name', []],
    ['officers.0.nam', ['The records here have no field `officers.0.nam`.']],
    ['officers.name', ['The records here have no field `officers.name`.']],
    ['ein.x', ['The records here have no field `ein.x`.']],
  ])('a path: %s', (field, expected) => {
    expect(faults(over(`{type: select, fields: [${field}]}`))).toEqual(expected);
  });

  it.each([
    ['select', '{type: select, fields: [{field: ein, as: id}]}', ['id'], ['ein', 'revenue']],
    ['rename', '{type: rename, fields: {ein: id}}', ['id', 'revenue'], ['ein']],
    ['compute', '{type: compute, as: double, expression: "{revenue} * 2"}', ['double', 'ein'], ['doubl']],
    [
      'aggregate',
      '{type: aggregate, group_by: [ein], metrics: [{op: sum, field: revenue}, {op: count}]}',
      ['ein', 'sum_revenue', 'count'],
      ['revenue'],
    ],
    ['flatten', '{type: flatten, field: officers}', ['name', 'ein'], ['officers']],
    ['flatten as', '{type: flatten, field: officers, as: officer, keep: [ein]}', ['officer', 'ein'], ['revenue']],
    ['previous', '{type: previous, fields: [revenue]}', ['previous_revenue', 'ein'], ['previous_ein']],
    ['join', '{type: join, with: more, on: ein, prefix: b_}', ['b_revenue', 'ein', 'b_ein'], ['more_revenue']],
    ['join without a prefix', '{type: join, with: more, on: ein}', ['more_revenue', 'ein'], ['more_ein']],
    ['concat', '{type: concat, with: more}', ['ein', 'revenue'], ['tax_year']],
    ['sort, filter, limit', '{type: sort, field: ein}, {type: limit, count: 1}, {type: deduplicate}', ['ein'], ['x']],
  ])('what an operation makes of the columns: %s', (_name, operation, there, gone) => {
    const after = (field: string): string[] =>
      faults(over(`${operation}, {type: select, fields: [${field}]}`, ', more: "{pull.results}"'));
    for (const field of there) expect(after(field)).toEqual([]);
    for (const field of gone) expect(after(field)).toEqual([`The records here have no field \`${field}\`.`]);
  });

  it('a later step and a reference know the columns of a transform', () => {
    const next = (more: string): string => `${over('{type: select, fields: [ein]}')}\n${more}`;
    expect(
      faults(
        next(
          '  - {name: n, step_type: tool, action: transform_data, inputs: {data: "{t.data}"}, operations: [{type: sort, field: revenue}]}',
        ),
      ),
    ).toEqual(['The records here have no field `revenue`.']);
    expect(faults(next('  - {name: ask, step_type: approval, prompt: "{t.data[0].revenue}"}'))).toEqual([
      '{t.data[0].revenue} reads the field `revenue`, which does not exist there.',
    ]);
  });

  it('of a model step, an upsert key, a cross reference and a table', () => {
    const model = `  - name: m
    step_type: llm_task
    action: llm_analyze
    inputs: {rows: "{company}"}
    params: {instructions: Judge.}
    output_schema: {type: record_set, fields: [{name: verdict, type: string}]}
`;
    const step = (rest: string): string => playbook(`${model}  - {name: s, step_type: tool, ${rest}}`, COMPANY);
    expect(
      faults(step('action: transform_data, inputs: {data: "{m.results}"}, operations: [{type: sort, field: verdikt}]')),
    ).toEqual(['The records here have no field `verdikt`.']);
    expect(
      faults(
        step(
          'action: save_to_workspace, inputs: {data: "{m.results}"}, params: {table_name: t, upsert_key: [verdict, id]}',
        ),
      ),
    ).toEqual(['The records of `data` have no field `id`.']);
    expect(
      faults(
        step(
          'action: cross_reference, inputs: {dataset_a: "{m.results}", dataset_b: "{m.results}"}, params: {field_a: verdict, field_b: name}',
        ),
      ),
    ).toEqual(['The records of `dataset_b` have no field `name`.']);
    const table = `output:
  sections: [{title: Rows, source: pull.results}]
  destinations: [{type: data_workspace_table, config: {table_name: t, upsert_key: ien, schema_mapping: {ein: a, tax_year: b}}}]`;
    expect(faults(playbook(`${PULL}${table}`, COMPANY))).toEqual([
      'The records here have no field `ien`.',
      'The records here have no field `tax_year`.',
    ]);
  });

  it('of a table that a step writes', () => {
    const route = `  - name: out
    step_type: tool
    action: route_output
    inputs: {data: "{pull.results}"}
    params: {destinations: [{type: document}, {type: data_workspace_table, config: {table_name: t, deduplication_key: [ein, ien], schema_mapping: {tax_year: b}}}]}`;
    expect(faults(playbook(`${PULL}${route}`, COMPANY))).toEqual([
      'The records here have no field `ien`.',
      'The records here have no field `tax_year`.',
    ]);
  });

  it('nothing is said where the fields are not known', () => {
    expect(faults(over('{type: select, fields: ["{company}"]}, {type: sort, field: anything}'))).toEqual([]);
    expect(faults(over('{type: flatten, field: ein}, {type: sort, field: anything}'))).toEqual([]);
    expect(faults(over('{type: compute, as: x, expression: "{limit} + {ein}"}', ', limit: 3'))).toEqual([]);
  });

  it('a name of the run is no field of the row', () => {
    expectOnly(over('{type: filter, expression: "{ein} == {company}"}'), CODES, [
      {
        code: 'unresolved_reference',
        at: 'company}',
        suggestion:
          'Add company: "{company}" to the inputs of the step: a row expression sees the row and the step\'s inputs.',
      },
    ]);
  });
});

describe('an expression over rows', () => {
  const transform = (operation: string, inputs = '{data: []}'): string =>
    playbook(
      `  - {name: t, step_type: tool, action: transform_data, inputs: ${inputs}, params: {operations: [${operation}]}}`,
      COMPANY,
    );

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

const TABLE = 'type: data_workspace_table';
const ONE = 'sections: [{title: A, source: "{pull.results}"}]';
const TWO = 'sections: [{title: A, source: "{pull.results}"}, {title: B, source: "{pull.count}"}]';
const UNKNOWN: Expected = {
  code: 'unresolved_reference',
  at: 'eni',
  message: 'The records here have no field `eni`.',
  field: 'output.destinations[0].config.upsert_key',
};

describe('the rows of a table of the output', () => {
  it.each<[string, string, string, Expected[]]>([
    ['the only section', ONE, '', [UNKNOWN]],
    ['the named section', TWO, 'section: A, ', [UNKNOWN]],
    ['which of two is open', TWO, '', []],
    ['a section of records of no known fields', TWO, 'section: B, ', []],
  ])('%s', (_name, sections, section, expected) => {
    const config = `{table_name: t, ${section}upsert_key: eni}`;
    expectProblems(
      playbook(PULL, `${COMPANY}\noutput: {${sections}, destinations: [{${TABLE}, config: ${config}}]}`),
      expected,
    );
  });
});
