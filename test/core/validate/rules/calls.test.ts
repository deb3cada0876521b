import { describe, expect, it } from '@jest/globals';
import { COMPANY, expectOnly, expectProblems, playbook, validate } from '../harness';

const ask = (name: string, more = ''): string => `{name: ${name}, step_type: approval${more}}`;

describe('names', () => {
  it.each([
    ['two steps', `  - ${ask('a')}\n  - ${ask('a')}`, 'duplicate_name', 'a, step_type', '`a` is already a step;'],
    [
      'a key like a name',
      `  - ${ask('a')}\n  - ${ask('b', ', output_key: a')}`,
      'duplicate_name',
      'a}',
      '`a` is already a step;',
    ],
    [
      'two keys',
      `  - ${ask('a', ', output_key: k')}\n  - ${ask('b', ', output_key: k')}`,
      'duplicate_name',
      'k}',
      '`k` is already an output_key of `a`;',
    ],
    ['a step like an input', `  - ${ask('company')}`, 'duplicate_name', 'company', '`company` is already an input;'],
    [
      'a loop variable like its step',
      `  - {name: e, for_each: {items: [], as: e, steps: [${ask('x')}]}}`,
      'duplicate_name',
      'e, steps',
      '`e` is already a step;',
    ],
    ['a built-in', `  - ${ask('today')}`, 'reserved_name', 'today', '`today` is a built-in name and cannot be a step.'],
    [
      'secrets',
      `  - ${ask('a', ', output_key: secrets')}`,
      'reserved_name',
      'secrets',
      '`secrets` is a built-in name and cannot be an output_key.',
    ],
  ])('%s', (_name, steps, code, at, message) => {
    const found = validate(playbook(steps, COMPANY));
    expect(found.map((problem) => problem.code)).toEqual([code]);
    expectOnly(playbook(steps, COMPANY), [code], [{ code, at }]);
    expect(found[0]?.message).toContain(message);
  });

  it('a loop variable may not hide anything', () => {
    const text = playbook(
      `  - {name: e, for_each: {items: [1], as: company, steps: [${ask('x', ', prompt: "{company}"')}]}}`,
      COMPANY,
    );
    expectProblems(text, [{ code: 'duplicate_name', at: 'company, steps', field: 'for_each.as' }]);
  });

  it('a step whose output_key is its own name is fine', () => {
    expect(validate(playbook(`  - ${ask('a', ', output_key: a')}`))).toEqual([]);
  });
});

describe('actions', () => {
  it.each([
    [
      '  - {name: a, step_type: tool, action: save_to_workspce}',
      'unknown_action',
      'save_to_workspce',
      'Did you mean `save_to_workspace`?',
    ],
    ['  - {name: a, step_type: tool, action: zzz}', 'unknown_action', 'zzz', 'See GET /actions for what there is.'],
    [
      '  - {name: a, step_type: tool, action: search_web, inputs: {query: x}}',
      'action_not_available',
      'search_web',
      'Remove the step, or write optional: true to have it skipped.',
    ],
    ['  - {name: a, step_type: tool, action: llm_analyze}', 'wrong_step_type', 'tool', 'Write step_type: llm_task.'],
    [
      '  - {name: a, step_type: llm_task, action: query_journal, output_schema: {fields: [{name: x}]}}',
      'wrong_step_type',
      'llm_task',
      'Write step_type: tool.',
    ],
    [
      '  - {name: a, step_type: tool, action: query_journal, undo: {action: zzz}}',
      'unknown_action',
      'zzz',
      'See GET /actions for what there is.',
    ],
  ])('%s', (steps, code, at, suggestion) => expectOnly(playbook(steps), [code], [{ code, at, suggestion }]));

  it('an optional step may wait for its action', () => {
    expect(
      validate(playbook('  - {name: a, step_type: tool, action: search_web, inputs: {query: x}, optional: true}')),
    ).toEqual([]);
  });
});

describe('connectors', () => {
  const call = (connector: string, endpoint: string): string =>
    `  - {name: a, step_type: tool, action: call_connector, params: {connector: ${connector}, endpoint: ${endpoint}}, inputs: {ein: x}}`;
  it.each([
    [call('isr', 'filings'), 'unknown_connector', 'isr', 'Did you mean `irs`?'],
    [call('propublica', 'filings'), 'unknown_connector', 'propublica', 'Save that connector first.'],
    [call('irs', 'filing'), 'unknown_endpoint', 'filing', 'Did you mean `filings`?'],
    [call('irs', 'zzz'), 'unknown_endpoint', 'zzz', 'Known endpoints: filings, submit.'],
    [call('irs', 'constructor'), 'unknown_endpoint', 'constructor', 'Known endpoints: filings, submit.'],
  ])('%s', (steps, code, at, suggestion) => expectProblems(playbook(steps), [{ code, at, suggestion, step: 'a' }]));

  it('warns of required connectors that are not there', () => {
    expectProblems(playbook(`  - ${ask('a')}`, 'required_connectors: [irs, file_parser, rest_api]'), [
      { code: 'unknown_connector', at: 'rest_api', severity: 'warning', field: 'required_connectors[2]' },
    ]);
  });

  it('tools of a model are actions or endpoints', () => {
    const text = playbook(
      '  - {name: a, step_type: llm_task, action: research_with_tools, params: {tools: [query_journal, irs.filings, irs.x, y.z, search_web, call_connector, zzz]}, output_schema: {fields: [{name: x}]}}',
    );
    expectProblems(text, [
      { code: 'unknown_endpoint', at: 'irs.x', field: 'params.tools[2]' },
      { code: 'unknown_connector', at: 'y.z' },
      { code: 'action_not_available', at: 'search_web' },
      { code: 'action_not_available', at: 'call_connector', suggestion: 'Name the endpoint as connector.endpoint.' },
      { code: 'unknown_action', at: 'zzz' },
    ]);
  });
});

describe('R03: dependencies', () => {
  it('names the path of a cycle', () => {
    expectProblems(
      playbook(
        `  - ${ask('a', ', depends_on: [c]')}\n  - ${ask('b', ', depends_on: [a]')}\n  - ${ask('c', ', depends_on: [b]')}`,
      ),
      [
        {
          code: 'dependency_cycle',
          at: '[c]',
          step: 'a',
          message: 'These steps wait for each other: a → c → b → a.',
          suggestion: 'Remove one of these dependencies.',
        },
      ],
    );
  });

  it('a step that depends on itself', () => {
    expectProblems(playbook(`  - ${ask('a', ', depends_on: [a]')}`), [
      { code: 'dependency_cycle', at: '[a]', message: 'These steps wait for each other: a → a.' },
    ]);
  });

  it('cuts a long circle in the middle', () => {
    const steps = Array.from(
      { length: 1000 },
      (_, index) => `  - ${ask(`s${index}`, `, depends_on: [s${(index + 1) % 1000}]`)}`,
    ).join('\n');
    const [found] = validate(playbook(steps));
    expect(found).toMatchObject({
      code: 'dependency_cycle',
      message: expect.stringMatching(/^These steps wait for each other: s0 → s1 .* → … → .* → s0\.$/),
    });
  });

  it.each([
    [
      `  - ${ask('alpha')}\n  - ${ask('b', ', depends_on: [alhpa]')}`,
      'nonexistent_step',
      'alhpa',
      'Did you mean `alpha`?',
    ],
    [
      `  - ${ask('alpha', ', output_key: beta')}\n  - ${ask('b', ', depends_on: [beta]')}`,
      'nonexistent_step',
      'beta]',
      "Write the step's name: alpha.",
    ],
    [
      `  - {name: p, action: parallel, parallel_steps: [${ask('inner')}]}\n  - ${ask('b', ', depends_on: [inner]')}`,
      'nonexistent_step',
      'inner]',
      'Name a step of the same list.',
    ],
    [
      `  - {name: p, action: parallel, parallel_steps: [${ask('x')}, ${ask('y', ', depends_on: [x]')}]}`,
      'field_not_allowed',
      '[x]',
      'Put the steps into the list itself: with depends_on independent ones run together.',
    ],
  ])('%s', (steps, code, at, suggestion) => expectProblems(playbook(steps), [{ code, at, suggestion }]));
});

describe('R03: sub-playbooks', () => {
  it.each([
    ['test', 'playbook_cycle', 'This playbook would run itself: test → test.'],
    ['back', 'playbook_cycle', 'This playbook would run itself: test → back → middle → test.'],
    ['chld', 'unknown_playbook', 'There is no playbook `chld`.'],
    ['deep1', 'too_deep', 'The runs that this step starts lie 6 deep; at most 5 are allowed.'],
    [
      '"{company}"',
      'must_be_literal',
      '`playbook` must be written out: it decides how the step is checked, so it cannot come from a run.',
    ],
  ])('%s', (slug, code, message) => {
    expectProblems(playbook(`  - {name: s, action: run_playbook, playbook: ${slug}}`, COMPANY), [
      { code, at: slug, step: 's', field: 'playbook', message },
    ]);
  });

  it('five deep is allowed', () => {
    expect(validate(playbook('  - {name: s, action: run_playbook, playbook: deep2}'))).toEqual([]);
  });
});
