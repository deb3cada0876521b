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

describe('unknown inputs', () => {
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

describe('PULL', () => {
  it('the step of the harness is valid', () => expect(validate(playbook(PULL, COMPANY))).toEqual([]));
});
