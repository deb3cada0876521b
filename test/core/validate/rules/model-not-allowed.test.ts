import { describe, expect, it } from '@jest/globals';
import { ask, expectProblems, placesOf, playbook } from '../harness';

describe('a deterministic playbook', () => {
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

  it.each<[string, string, string[]]>([
    [
      'calls no model',
      `  - {name: a, step_type: llm_task, action: llm_analyze, inputs: {data: 1}, params: {instructions: x}, output_schema: {fields: [{name: x}]}}`,
      ['a action'],
    ],
    [
      'lets none decide a route',
      `  - {name: r, route: {on: {action: llm_analyze, inputs: {data: 1}, params: {instructions: x}}, routes: {a: [${ask('g')}]}}}`,
      ['r_router action'],
    ],
    ['runs no other kind', '  - {name: a, action: run_playbook, playbook: chatty}', ['a playbook']],
    ['runs its own kind', '  - {name: a, action: run_playbook, playbook: child, inputs: {company: x}}', []],
    ['runs one of which the kind is not known', '  - {name: a, action: run_playbook, playbook: deep6}', []],
    ['uses tools', '  - {name: a, step_type: tool, action: query_journal}', []],
  ])('%s', (_what, steps, expected) => {
    expect(placesOf(playbook(steps, 'execution_mode: deterministic'), 'model_not_allowed')).toEqual(expected);
  });
});
