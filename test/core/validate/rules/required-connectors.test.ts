import { describe, it } from '@jest/globals';
import { ask, expectProblems, playbook } from '../harness';

describe('required connectors', () => {
  it('warns of required connectors that are not there', () => {
    expectProblems(playbook(`  - ${ask('a')}`, 'required_connectors: [irs, file_parser, rest_api]'), [
      { code: 'unknown_connector', at: 'rest_api', severity: 'warning', field: 'required_connectors[2]' },
    ]);
  });
});
