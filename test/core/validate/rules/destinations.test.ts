import { describe, expect, it } from '@jest/globals';
import { ask, COMPANY, expectProblems, playbook, PULL, validate } from '../harness';

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

const TABLE = 'type: data_workspace_table';

describe('the settings of a table', () => {
  it('a setting of null is one that is not given, and one of another type is reported where it stands', () => {
    const output = `{sections: [{title: A, source: "{pull.results}"}], destinations: [{${TABLE}, config: {table_name: t, section: null}}, {${TABLE}, config: {table_name: [5]}}]}`;
    expectProblems(playbook(PULL, `${COMPANY}\noutput: ${output}`), [
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
