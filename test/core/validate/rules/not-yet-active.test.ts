import { describe, it } from '@jest/globals';
import { expectProblems, playbook, SAVE } from '../harness';

describe('the language', () => {
  it('parts of the language that do nothing yet', () => {
    const text = `${playbook(
      `  - {name: save, ${SAVE}, inputs: {data: []}, undo: {action: query_journal}}`,
      'triggers: [{pattern: x}]\nmonitor_config: {interval: 5m}\ninputs: [{name: q, extract_from: query}]',
    )}\noutput: {auto_enrich_graph: true, summary_prompt: x, template: x, destinations: [{type: knowledge_graph}]}`;
    expectProblems(text, [
      {
        code: 'not_yet_active',
        at: 'triggers',
        severity: 'warning',
        message: '`triggers` is checked and kept but does nothing yet.',
      },
      { code: 'not_yet_active', at: 'monitor_config' },
      { code: 'not_yet_active', at: 'extract_from' },
      { code: 'not_yet_active', at: 'undo', step: 'save' },
      { code: 'not_yet_active', at: 'auto_enrich_graph' },
      { code: 'not_yet_active', at: 'summary_prompt' },
      { code: 'not_yet_active', at: 'template' },
      { code: 'not_yet_active', at: 'knowledge_graph', field: 'output.destinations[0].type' },
    ]);
  });
});
