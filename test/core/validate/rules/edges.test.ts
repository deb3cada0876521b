import { describe, expect, it } from '@jest/globals';
import { COMPANY, PULL, SAVE, expectProblems, playbook, validate, type Expected } from '../harness';

const withOutput = (output: string, steps = PULL): string => playbook(steps, `${COMPANY}\noutput: ${output}`);
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
    expectProblems(withOutput(`{${sections}, destinations: [{${TABLE}, config: ${config}}]}`), expected);
  });

  it('a setting of null is one that is not given, and one of another type is reported where it stands', () => {
    const text = withOutput(
      `{${ONE}, destinations: [{${TABLE}, config: {table_name: t, section: null}}, {${TABLE}, config: {table_name: [5]}}]}`,
    );
    expectProblems(text, [
      {
        code: 'type_mismatch',
        at: '[5]',
        message: '`table_name` expects a string, not a list.',
        field: 'output.destinations[1].config.table_name',
      },
    ]);
  });
});

describe('the tables of a step', () => {
  it('destinations that are none are no reason to give up the others', () => {
    const list = `{${TABLE}}, {${TABLE}, config: 5}, 5, {type: 7, config: {upsert_key: eni}}, {${TABLE}, config: {table_name: t, upsert_key: eni}}`;
    const step = `  - {name: r, step_type: tool, action: route_output, inputs: {data: "{pull.results}"}, params: {destinations: [${list}]}}`;
    const found = validate(playbook(`${PULL}${step}`, COMPANY));
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'type_mismatch params.destinations[1].config',
      'type_mismatch params.destinations[2]',
      'invalid_value params.destinations[3].type',
      'unresolved_reference params.destinations[4].config.upsert_key',
    ]);
  });
});

describe('values inside of lists', () => {
  it('elements of a list of records, and what lies in them', () => {
    const text = playbook(
      `${PULL}  - {name: x, step_type: tool, action: cross_reference, inputs: {dataset_a: ["{pull.results[0]}", {a: "{nope}"}, 5, null, "x", "{pull.count}"], dataset_b: "{pull.results}"}, params: {field_a: ein}}`,
      COMPANY,
    );
    expect(validate(text).map(({ code, field, severity }) => `${severity} ${code} ${field}`)).toEqual([
      'error nonexistent_step inputs.dataset_a[1].a',
      'error type_mismatch inputs.dataset_a[2]',
      'error type_mismatch inputs.dataset_a[4]',
      'error type_mismatch inputs.dataset_a[5]',
    ]);
  });

  it('inputs of a playbook that is run', () => {
    const text = playbook('  - {name: c, step_type: tool, playbook: child, inputs: {company: [1], rows: x}}', COMPANY);
    expect(validate(text).map(({ code, field }) => `${code} ${field}`)).toEqual([
      'type_mismatch inputs.company',
      'type_mismatch inputs.rows',
    ]);
  });
});

describe('steps', () => {
  it('a loop variable that is nearly the written one is offered', () => {
    const ask = '{name: ask, step_type: approval, prompt: "{grnt}"}';
    const text = playbook(
      `${PULL}  - {name: each, for_each: {items: "{pull.results}", as: grant, steps: [${ask}]}}`,
      COMPANY,
    );
    expectProblems(text, [{ code: 'nonexistent_step', at: 'grnt}', suggestion: 'Did you mean {grant}?' }]);
  });

  it.each(['', ', playbook: ""'])('a playbook that is run and not named is missing, and no unknown one: %s', (more) => {
    const found = validate(playbook(`  - {name: c, step_type: tool, action: run_playbook${more}}`));
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual(['missing_field playbook']);
  });

  it('a gate whose end of time is not written stops the run, and nothing is warned of', () => {
    const save = `  - {name: s, ${SAVE}, inputs: {data: "{pull.results}"}}`;
    const gate = (more: string): string => `  - {name: g, step_type: approval, timeout_minutes: 5${more}}\n`;
    const codes = (more: string): string[] =>
      validate(
        withOutput(`{${ONE}, destinations: [{${TABLE}, config: {table_name: t}}]}`, PULL + gate(more) + save),
      ).map(({ code, field }) => `${code} ${field}`);
    expect(codes('')).toEqual([]);
    expect(codes(', on_timeout: skip')).toEqual([
      'effect_after_skippable_gate output.destinations[0]',
      'effect_after_skippable_gate condition',
    ]);
  });

  it('a condition that reads a gate as a whole does not ask what it decided', () => {
    const gate = '  - {name: g, step_type: approval, timeout_minutes: 5, on_timeout: skip}\n';
    const save = `  - {name: s, ${SAVE}, inputs: {data: "{pull.results}"}, condition: "{g} == 'x'"}`;
    const found = validate(playbook(PULL + gate + save, COMPANY));
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual(['effect_after_skippable_gate condition']);
  });

  it('the answer of a model that nothing reads is warned of', () => {
    const model =
      '{name: l, step_type: llm_task, action: llm_analyze, inputs: {data: x}, output_schema: {type: object, fields: [{name: a, type: string}]}}';
    expect(
      validate(playbook(`  - ${model}\n  - {name: g, step_type: approval}`)).map(({ code, step }) => `${code} ${step}`),
    ).toEqual(['unused_output l']);
  });
});
