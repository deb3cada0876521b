import { describe, expect, it } from '@jest/globals';
import { differencesOf } from '../../../cli/commands/compare';
import type { Run } from '../../../cli/http/types';

const STEP = { step: 'read', step_path: 'read', status: 'ok', tries: 1 };
const USAGE = { input_tokens: 1, output_tokens: 1, cost_usd: 0.5, unpriced_calls: 0 };

function run(more: object): Run {
  return {
    runId: 'r',
    status: 'complete',
    playbook: { slug: 'p', version_no: 1 },
    clock: {},
    inputs: {},
    steps: [STEP],
    connectors: [],
    connectors_called: [],
    usage: USAGE,
    ...more,
  } as unknown as Run;
}

describe('what differs between two runs', () => {
  it.each([
    [
      'a cost that is not all',
      { usage: { ...USAGE, unpriced_calls: 2 } },
      { what: 'cost', left: '$0.5', right: '$0.5, not all: 2 model calls without a known price' },
    ],
    [
      'a cost that nobody knows',
      { usage: { ...USAGE, cost_usd: null, unpriced_calls: 1 } },
      { what: 'cost', left: '$0.5', right: 'not known (1 model call without a known price)' },
    ],
    [
      'what a step left out',
      { steps: [{ ...STEP, incomplete: [{ code: 'files_not_read', message: '2 of 8 files not read' }] }] },
      { what: 'step read incomplete', left: undefined, right: ['2 of 8 files not read'] },
    ],
    [
      'a connector that one of them names',
      { connectors: [{ connector: 'irs', version_id: 'v2', version_no: 2 }] },
      { what: 'connector irs', left: undefined, right: 'version 2' },
    ],
    [
      'a connector that is not seen',
      { connectors: [{ connector: 'irs', version_id: 'v2' }] },
      { what: 'connector irs', left: undefined, right: 'v2' },
    ],
    [
      'a second try, which went well',
      { steps: [{ ...STEP, tries: 2, error: { code: 'http_503', message: 'Later.' } }] },
      { what: 'step read tries', left: 1, right: 2 },
    ],
  ])('%s', (_what, more, difference) => {
    expect(differencesOf(run({}), run(more))).toEqual([difference]);
  });

  it('is told once of a step that a retry took over, and not by the tries and requests of the run before', () => {
    const before = run({ steps: [{ ...STEP, tries: 2, requests: 5 }] });
    const retry = run({ steps: [{ ...STEP, tries: 0, copied_from: 'r0' }] });
    expect(differencesOf(before, retry)).toEqual([{ what: 'step read taken over from', left: undefined, right: 'r0' }]);
  });

  it('may still come where a run goes on', () => {
    const whole = run({ outputs: { read: { count: 2 } } });
    const waits = run({ status: 'waiting_approval', steps: [] });
    expect(differencesOf(whole, waits)).toEqual([
      { what: 'status', left: 'complete', right: 'waiting_approval' },
      { what: 'step read', left: 'ok', right: undefined, not_yet: 'right' },
      { what: 'step read tries', left: 1, right: undefined, not_yet: 'right' },
      { what: 'output read.count', left: 2, right: undefined, not_yet: 'right' },
    ]);
    const read = { ...STEP, incomplete: [{ code: 'stale', message: 'old' }] };
    expect(differencesOf(run({ status: 'running' }), run({ steps: [read] }))[1]).toEqual({
      what: 'step read incomplete',
      left: undefined,
      right: ['old'],
    });
    expect(differencesOf(run({ steps: [] }), whole).every((difference) => difference.not_yet === undefined)).toBe(true);
  });

  it('is the version of a connector, not its mere name', () => {
    const of = (no: number) => run({ connectors: [{ connector: 'irs', version_id: `v${no}`, version_no: no }] });
    expect(differencesOf(of(1), of(1))).toEqual([]);
    expect(differencesOf(of(1), of(2))).toEqual([{ what: 'connector irs', left: 'version 1', right: 'version 2' }]);
  });
});
