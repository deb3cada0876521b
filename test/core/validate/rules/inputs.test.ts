import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../../../../core/errors/problem';
import { COMPANY, expectOnly, expectProblems, playbook, PULL, SAVE, validate } from '../harness';

const call = (inputs: string, endpoint = 'filings'): string =>
  `  - {name: call, step_type: tool, action: call_connector, connector: irs, endpoint: ${endpoint}, inputs: ${inputs}}\n`;

describe('required inputs', () => {
  it('names the input, its type, and a result that fits', () => {
    expectProblems(playbook(`${PULL}  - {name: save, ${SAVE}}`, COMPANY), [
      { code: 'unused_output', at: 'pull' },
      {
        code: 'missing_required',
        at: '{name: save',
        step: 'save',
        field: 'inputs',
        message: 'The input `data` (record[]) of the action `save_to_workspace` is missing.',
        suggestion: 'Wire it: data: "{pull.results}".',
      },
    ]);
  });

  it('suggests the playbook input of the same name', () => {
    const text = playbook(call('{}'), 'inputs: [{name: ein, type: string}]');
    expectOnly(
      text,
      ['missing_required'],
      [{ code: 'missing_required', at: '{}', field: 'inputs.ein', suggestion: 'Wire it: ein: "{ein}".' }],
    );
  });

  it('a parameter with a default need not be wired', () => {
    expect(validate(playbook(call('{ein: "1"}')))).toEqual([]);
  });

  it('inputs of a sub-playbook', () => {
    expectOnly(
      playbook('  - {name: s, action: run_playbook, playbook: child}'),
      ['missing_required'],
      [
        {
          code: 'missing_required',
          at: '{name: s',
          message: 'The input `company` (entity_name) of the playbook `child` is missing.',
          suggestion: 'Write company: <value> under inputs.',
        },
      ],
    );
  });
});

describe('options', () => {
  it('of a list are options of its elements', () => {
    const at = (kinds: string): Problem[] =>
      validate(playbook(call(`{ein: "1", kinds: ${kinds}}`))).filter(({ code }) => code === 'invalid_value');
    for (const right of ['[a]', '[a, b]', '[]', '["{ein}"]', '"{ein}"'])
      expect({ right, found: at(right) }).toEqual({ right, found: [] });
    expect(at('[a, c]')).toMatchObject([
      { field: 'inputs.kinds[1]', message: '`kinds` is "c", but it must be one of a, b.' },
    ]);
  });
});

describe('null that is written out', () => {
  it('is a problem where the endpoint cannot send it, and fine elsewhere', () => {
    expectOnly(
      playbook(call('{ein: "1", kinds: null, since: null}')),
      ['null_not_possible'],
      [
        {
          code: 'null_not_possible',
          at: 'null, since',
          field: 'inputs.kinds',
          message: '`kinds` is null, but the endpoint has no way to send that.',
          suggestion: 'Take `kinds` out where there is no value, or give one.',
        },
      ],
    );
  });
});

describe('unknown inputs and params', () => {
  it.each([
    [call('{ein: "1", sinse: "2024-01-01"}'), 'unknown_input', 'sinse', 'Did you mean `since`?'],
    [call('{ein: "1", zzz: 1}'), 'unknown_input', 'zzz', 'Known inputs: ein, since, limit, kinds.'],
    [
      '  - {name: a, step_type: tool, action: query_journal, inputs: {limit: 3}}',
      'unknown_input',
      'limit',
      'Move it to params: `limit` is a setting.',
    ],
    [
      '  - {name: a, step_type: tool, action: query_journal, params: {query: x}}',
      'unknown_param',
      'query',
      'Move it to inputs: `query` is data.',
    ],
    [
      '  - {name: a, step_type: tool, action: query_journal, params: {limt: 3}}',
      'unknown_param',
      'limt',
      'Did you mean `limit`?',
    ],
    [
      '  - {name: a, step_type: tool, action: write_journal_entry, inputs: {summary: x}, params: {zzz: 3}}',
      'unknown_param',
      'zzz',
      'It has no params.',
    ],
    [
      '  - {name: s, action: run_playbook, playbook: chatty, inputs: {x: 1}}',
      'unknown_input',
      'x:',
      'It has no inputs.',
    ],
  ])('%s', (steps, code, at, suggestion) => expectProblems(playbook(steps), [{ code, at, suggestion }]));

  it('a model and a transform take inputs of any name', () => {
    const text = playbook(`
  - {name: j, step_type: llm_task, action: llm_analyze, inputs: {anything: 1}, output_schema: {fields: [{name: x, type: string}]}}
  - {name: t, step_type: tool, action: transform_data, inputs: {data: [], more: "{j.x}"}, params: {operations: []}}`);
    expect(validate(text)).toEqual([]);
  });
});

describe('params', () => {
  it.each([
    [
      '  - {name: a, step_type: tool, action: call_connector, connector: irs}',
      'missing_required',
      '{name: a',
      'Write endpoint: <value> under params. Name of the endpoint in the connector.',
    ],
    [
      '  - {name: a, step_type: tool, action: call_connector, connector: "{company}", endpoint: filings}',
      'must_be_literal',
      '"{company}"',
      'Write the name itself.',
    ],
    [
      '  - {name: a, step_type: tool, action: cross_reference, inputs: {dataset_a: [], dataset_b: []}, params: {match_strategy: exakt}}',
      'invalid_value',
      'exakt',
      'Write exact.',
    ],
    [
      '  - {name: a, step_type: tool, action: cross_reference, inputs: {dataset_a: [], dataset_b: []}, params: {match_strategy: fuzzy_name}}',
      'action_not_available',
      'fuzzy_name',
      'Use exact or external_id.',
    ],
    [
      '  - {name: a, step_type: tool, action: query_journal, params: {limit: many}}',
      'type_mismatch',
      'many',
      undefined,
    ],
  ])('%s', (steps, code, at, suggestion) => expectOnly(playbook(steps, COMPANY), [code], [{ code, at, suggestion }]));
});

describe('types', () => {
  it.each([
    ['{ein: "{company}"}', undefined],
    ['{ein: "{pull.results[0].ein}"}', undefined],
    ['{ein: "text {pull.count}"}', undefined],
    ['{ein: "x", since: "{since}"}', undefined],
    ['{ein: "x", since: "{today}"}', undefined],
    ['{ein: "x", since: 2024-02-29}', undefined],
    ['{ein: "x", limit: "{pull.count}"}', undefined],
    ['{ein: "x", kinds: "{names}"}', undefined],
    ['{ein: "x", kinds: [1, a]}', undefined],
    ['{ein: "x", since: soon}', 'type_mismatch: Write it as YYYY-MM-DD.'],
    ['{ein: "x", since: 2023-02-29}', 'type_mismatch: Write it as YYYY-MM-DD.'],
    ['{ein: 530196605}', 'loose_type_coercion: Write "530196605".'],
    ['{ein: true}', 'loose_type_coercion: Write "true".'],
    ['{ein: "x", since: 2024}', 'type_mismatch: -'],
    ['{ein: "{pull.count}"}', 'loose_type_coercion: -'],
    ['{ein: "{pull.results}"}', 'type_mismatch: -'],
    ['{ein: "{pull.results[*].ein}"}', 'type_mismatch: Write "{pull.results[*].ein[0]}" for the first element.'],
    ['{ein: "x", limit: "{pull}"}', 'type_mismatch: Write "{pull.count}".'],
    ['{ein: "x", limit: ten}', 'type_mismatch: -'],
    ['{ein: "x", limit: "{pull.results[0].revenue}"}', 'loose_type_coercion: -'],
    ['{ein: "x", kinds: "{company}"}', 'type_mismatch: Write ["{company}"] for a list of one.'],
    ['{ein: "x", since: "{company}"}', 'loose_type_coercion: -'],
  ])('filings with %s', (inputs, expected) => {
    const text = playbook(`${PULL}${call(inputs)}`, COMPANY);
    const found = validate(text).filter((problem) => ['type_mismatch', 'loose_type_coercion'].includes(problem.code));
    expect(found.map((problem) => `${problem.code}: ${problem.suggestion ?? '-'}`)).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  it.each([
    ['"{pull.results}"', undefined],
    ['"{pull.results[*].officers}"', undefined],
    ['[{a: 1}, "{pull.results[0]}"]', undefined],
    ['"{pull}"', 'type_mismatch: Write "{pull.results}".'],
    ['"{pull.results[0]}"', 'type_mismatch: Write ["{pull.results[0]}"] for a list of one.'],
    ['"{pull.results[*].ein}"', 'type_mismatch: -'],
    ['[1]', 'type_mismatch: -'],
    ['{a: 1}', 'type_mismatch: -'],
    ['7', 'type_mismatch: -'],
  ])('a list of records from %s', (data, expected) => {
    const text = playbook(`${PULL}  - {name: save, ${SAVE}, inputs: {data: ${data}}}`, COMPANY);
    const found = validate(text).filter(
      (problem) => problem.severity === 'error' || problem.code === 'loose_type_coercion',
    );
    expect(found.map((problem) => `${problem.code}: ${problem.suggestion ?? '-'}`)).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  it('says what is expected and what is there', () => {
    expectOnly(
      playbook(`${PULL}${call('{ein: "{pull.results}"}')}`, COMPANY),
      ['type_mismatch'],
      [
        {
          code: 'type_mismatch',
          at: '"{pull.results}"',
          step: 'call',
          field: 'inputs.ein',
          message: '`ein` expects a string, but {pull.results} is a list of record.',
        },
      ],
    );
  });

  it('a filter keeps the fields of its input, a compute does not', () => {
    const flag = (type: string): string =>
      `${PULL}  - {name: f, step_type: tool, action: transform_data, inputs: {data: "{pull.results}"}, params: {operations: [{type: ${type}}]}}\n`;
    const ask = '  - {name: ask, step_type: approval, prompt: "{f.data[0].nope}"}';
    expectOnly(
      playbook(flag('deduplicate') + ask, COMPANY),
      ['unresolved_reference'],
      [{ code: 'unresolved_reference', at: 'f.data', suggestion: 'Known fields: ein, revenue, officers.' }],
    );
    expectOnly(playbook(flag('compute, as: nope, expression: "1"') + ask, COMPANY), ['unresolved_reference'], []);
  });

  it('knows the item of a for_each and the results of it', () => {
    const text = playbook(
      `${PULL}  - name: each
    for_each:
      items: "{pull.results}"
      as: row
      steps:
        - {name: one, step_type: tool, action: call_connector, connector: irs, endpoint: filings, inputs: {ein: "{row.enn}"}}
  - {name: ask, step_type: approval, prompt: "{each.results[0].results[0].ein} {each.results[0].nope}"}`,
      COMPANY,
    );
    expectOnly(
      text,
      ['unresolved_reference'],
      [
        {
          code: 'unresolved_reference',
          at: 'row.enn',
          suggestion: 'Did you mean `ein`? Known fields: ein, revenue, officers.',
        },
        { code: 'unresolved_reference', at: 'each.results[0].nope' },
      ],
    );
  });

  it.each([
    ['"{pull.results}"', undefined],
    ['"{names}"', undefined],
    ['[1, 2]', undefined],
    ['"{pull.count}"', '`items` expects a list, but {pull.count} is an integer.'],
    ['"{pull}"', '`items` expects a list, but {pull} is an object.'],
    ['"all of {names}"', '`items` must be one reference to a list, or a list written out.'],
    ['everything', '`items` must be one reference to a list, or a list written out.'],
  ])('items: %s', (items, message) => {
    const text = playbook(
      `${PULL}  - {name: e, for_each: {items: ${items}, steps: [{name: a, step_type: approval, prompt: "{item}"}]}}`,
      COMPANY,
    );
    expect(
      validate(text)
        .filter((problem) => problem.code === 'type_mismatch')
        .map((problem) => problem.message),
    ).toEqual(message === undefined ? [] : [message]);
  });
});
