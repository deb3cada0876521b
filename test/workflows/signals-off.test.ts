import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { startInProcess, type InProcess } from '../support/in-process';
import { waitUntil } from '../support/wait-until';

/** A worker as it runs on somebody else's Temporal; its markers are readable, so that its answer can be seen. */
let stack: InProcess;
beforeAll(async () => {
  stack = await startInProcess({ env: { AF_SIGNAL_APPROVALS: '', AF_PAYLOAD_ENCRYPTION: 'off' } });
}, 120_000);
afterAll(() => stack?.close());

it('an operator’s signal decides nothing where it is not switched on; a person still does', async () => {
  const slug = await stack.save(`
id: signalled
name: signalled
steps:
  - {name: ask, step_type: approval, prompt: go}
`);
  const runId = await stack.start(slug);
  const approvalId = await stack.approval(runId);
  const handle = stack.client.workflow.getHandle(`run-${runId}`);
  await handle.signal('approval', { approvalId, decision: 'approve' });
  /** Results of local activities, as JSON text. */
  const answers = async (): Promise<string[]> => {
    const { events } = await handle.fetchHistory();
    const results = (events ?? []).flatMap((event) => event.markerRecordedEventAttributes?.details?.['result'] ?? []);
    return results.flatMap(({ payloads }) => payloads ?? []).map(({ data }) => Buffer.from(data ?? []).toString());
  };
  let seen: string[] = [];
  await waitUntil('the answer to the signal', async () => {
    seen = (await answers()).filter((text) => text.includes('"state"'));
    return seen.length > 0;
  });
  expect(seen.map((text) => JSON.parse(text) as unknown)).toEqual([{ state: 'refused', code: 'signal_approvals_off' }]);
  expect(await stack.decisions.list(LOCAL_USER_ID, approvalId)).toEqual([]);
  expect(await stack.runs.require(LOCAL_USER_ID, runId)).toMatchObject({ status: 'waiting_approval' });
  expect(await stack.decide(runId, approvalId, 'approve')).toEqual({ state: 'counted' });
  expect((await stack.done(runId)).status).toBe('complete');
});
