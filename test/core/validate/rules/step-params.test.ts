import { describe, it } from '@jest/globals';
import { COMPANY, expectOnly, expectProblems, playbook } from '../harness';

describe('unknown params', () => {
  it.each([
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
  ])('%s', (steps, code, at, suggestion) => expectProblems(playbook(steps), [{ code, at, suggestion }]));
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
