import { describe, expect, it } from '@jest/globals';
import { COMPANY, expectOnly, playbook, PULL, SAVE, validate } from '../harness';

const call = (inputs: string, endpoint = 'filings'): string =>
  `  - {name: call, step_type: tool, action: call_connector, connector: irs, endpoint: ${endpoint}, inputs: ${inputs}}\n`;
const codesOf = (text: string): string[] => validate(text).map((problem) => problem.code);

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

describe('a text of the output', () => {
  it('a summary or title that is a list or a record (s4-summary-list.yaml)', () => {
    const output = (field: string, text: string): string =>
      `${playbook(PULL, COMPANY)}\noutput:\n  ${field}: '${text}'\n  sections: [{title: R, source: pull.results}]`;
    expect(validate(output('summary', '{pull.results}'))).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'loose_type_coercion',
        field: 'output.summary',
        message: '`summary` expects text; {pull.results} is a list of record and is written out as one.',
      }),
    ]);
    expect(codesOf(output('title', '{pull}'))).toEqual(['loose_type_coercion']);
    expect(codesOf(output('title', '{pull.count}'))).toEqual([]);
    expect(codesOf(output('summary', '{pull.count} rows: {pull.results}'))).toEqual([]);
  });
});
