import { describe, expect, it } from '@jest/globals';
import { expectOnly, expectProblems, playbook, validate } from '../harness';

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

  it('tools of a model only read: others fail the step, so they are no valid playbook', () => {
    const text = playbook(
      '  - {name: a, step_type: llm_task, action: research_with_tools, params: {tools: [irs.filings, irs.submit, save_to_workspace, write_journal_entry]}, output_schema: {fields: [{name: x}]}}\n' +
        '  - {name: r, route: {on: {action: research_with_tools, params: {tools: [irs.submit]}, inputs: {}}, routes: {x: [{name: g, step_type: approval}]}}}',
    );
    const suggestion = 'Let the model propose, and put the change into a tool step behind an approval.';
    expectOnly(
      text,
      ['tool_has_effect', 'action_not_available', 'unknown_action'],
      [
        { code: 'tool_has_effect', at: 'irs.submit', step: 'a', field: 'params.tools[1]', suggestion },
        { code: 'tool_has_effect', at: 'save_to_workspace', step: 'a', suggestion },
        { code: 'tool_has_effect', at: 'write_journal_entry', step: 'a' },
        { code: 'tool_has_effect', at: 'irs.submit', step: 'r_router' },
      ],
    );
    for (const tools of ['irs.filings', '[5]', '[null]', '[{a: 1}]', '{a: 1}']) {
      const found = validate(
        playbook(
          `  - {name: a, step_type: llm_task, action: research_with_tools, params: {tools: ${tools}}, output_schema: {fields: [{name: x}]}}`,
        ),
      );
      const errors = found.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      expect({ tools, errors }).toEqual({ tools, errors: ['type_mismatch'] });
    }
  });
});
