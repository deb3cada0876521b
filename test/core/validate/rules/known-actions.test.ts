import { describe, expect, it } from '@jest/globals';
import { expectOnly, playbook, validate } from '../harness';

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
