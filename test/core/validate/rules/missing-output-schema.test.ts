import { describe, expect, it } from '@jest/globals';
import { ask, expectProblems, playbook, validate } from '../harness';

describe('the result of a model', () => {
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
});
