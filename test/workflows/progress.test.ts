import { expect, it } from '@jest/globals';
import { progressText } from '../../workflows/progress';
import { Simulator } from '../core/engine/simulator';

const YAML = `
id: g
name: G
steps:
  - {name: read, step_type: tool, action: call_connector, connector: irs, endpoint: parse}
  - {name: bad, step_type: tool, action: slow, on_error: skip}
  - {name: meant, step_type: tool, action: slow, condition: "{read.count} > 1"}
  - {name: none, step_type: tool, action: gone, optional: true}
  - {name: big, step_type: tool, action: transform_data, inputs: {data: "{read.results}"}, operations: [{type: limit, count: 1}]}
  - {name: ask, step_type: approval, prompt: "{big.count} {bad.v}?"}
  - {name: last, step_type: tool, action: slow}
`;

it("the run's page in Temporal Web says how each step ended, and what a request rests on that is not there", () => {
  const traits = {
    call_connector: { short: false, pure: false, available: true, model: false },
    slow: { short: false, pure: false, available: true, model: false },
    gone: { short: false, pure: false, available: false, model: false },
    transform_data: { short: true, pure: true, available: true, model: false },
  };
  const run = new Simulator(YAML, { traits });
  run.ok('read', { read: { count: 1, results: [{ n: 1 }], files: [{}], errors: [{}] } });
  run.fail('bad', { code: 'not_found' });
  const shown = progressText(run.index, run.state, 'waiting_approval');
  expect(shown.split('\n\n')[2]?.split('\n')).toEqual([
    '- `read`: done, not complete: 1 of 2 files not read',
    '- `bad`: failed: not_found',
    '- `meant`: skipped: its condition is false: {read.count} > 1',
    '- `none`: skipped: its action is not available yet',
    '- `big`: done',
    '- `ask`: waits for a decision',
    '- `last`: not begun',
  ]);
  expect(shown).toContain(
    `(approval ${run.approvals[0]?.id}).\n\n- ! read: 1 of 2 files not read\n- ! bad failed: not_found (It broke.)`,
  );
});
