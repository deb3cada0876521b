import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { ActionTable } from '../../activities/actions/types';
import { PlatformTrouble } from '../../activities/runner/types';
import { AppError } from '../../core/errors/app-error';
import { failureMessage } from '../../infra/temporal/failure-message';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { DecideInput, DecideResult } from '../../workflows/messages';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';

/** Text in every message of a failure that a run can have. */
const MARK = 'Wilhelmina4f5b';
const CHILD = `
id: refused-child
name: Child
steps: [{name: ask, step_type: tool, action: refuse, on_error: stop}]
`;
const PARENT = `
id: refused-parent
name: Parent
steps:
  - {name: weak, step_type: tool, action: fragile}
  - {name: sub, action: run_playbook, playbook: refused-child, on_error: skip}
  - {name: said, step_type: tool, action: echo, inputs: {code: "{sub.error.code}", message: "{sub.error.message}"}}
  - {name: gate, step_type: approval, prompt: "go on?"}
`;
let lost = 0;
const actions: ActionTable = {
  echo: async (call) => ({ output: { ...call.inputs } }),
  refuse: async () =>
    Promise.reject(new AppError('upstream_rejected', `no entry of ${MARK}`, { category: 'upstream' })),
  /** Action that seems to lose its worker: the failure's type and details tell the engine. */
  fragile: async (_call, context) => {
    lost += 1;
    if (lost > 1) return { output: { alone: true } };
    throw new PlatformTrouble('quarantine', `lost with ${MARK}`, context.stepPath);
  },
};

let stack: InProcess;
let parentId: string;
let childId: string;
beforeAll(async () => {
  stack = await startInProcess({ actions });
  await stack.save(CHILD);
  parentId = await stack.start(await stack.save(PARENT));
  await stack.approval(parentId);
  [childId = ''] = (await stack.runs.children(LOCAL_USER_ID, parentId)).map((child) => child.id);
});
afterAll(() => stack?.close());

const historyOf = (id: string): Promise<temporal.api.history.v1.IHistory> =>
  stack.client.workflow.getHandle(`run-${id}`).fetchHistory();
const bytesOf = (history: temporal.api.history.v1.IHistory): string =>
  Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1');

describe('failures of a run', () => {
  it('decide as before: by type and details, in the child, in the parent', async () => {
    const [parent, child] = [await stack.runs.require(LOCAL_USER_ID, parentId), await stack.done(childId)];
    expect(lost).toBe(2);
    expect([child.status, child.status_code]).toEqual(['failed', 'upstream_rejected']);
    expect(child.status_message).toContain(MARK);
    expect(parent.status).toBe('waiting_approval');
  });

  it('are read by whoever has the key, through the SDK and out of a raw history', async () => {
    const failed = stack.client.workflow.getHandle(`run-${childId}`).result();
    await expect(failed).rejects.toMatchObject({ cause: { message: expect.stringContaining(MARK) } });
    const { failure } = (await historyOf(childId)).events?.at(-1)?.workflowExecutionFailedEventAttributes ?? {};
    expect(failure?.message).not.toContain(MARK);
    expect(await failureMessage(stack.client, `run-${childId}`, failure)).toContain(MARK);
    expect(await failureMessage(stack.client, `run-${parentId}`, failure)).toBeUndefined();
    expect(await failureMessage(stack.client, `run-${childId}`, { message: 'from before' })).toBe('from before');
  });

  it('leave no word of theirs in plain: of the activity, the child, the run', async () => {
    for (const id of [parentId, childId]) {
      const history = await historyOf(id);
      const failures = JSON.stringify(history.events).match(/"encodedAttributes":\{/g) ?? [];
      expect(failures.length).toBeGreaterThan(0);
      expect(bytesOf(history)).not.toContain(MARK);
      expect(bytesOf(history)).not.toContain('/workflows/');
    }
    expect(bytesOf(await historyOf(parentId))).toContain('quarantine');
    expect(bytesOf(await historyOf(childId))).toContain('upstream_rejected');
  });

  it('of an update that is refused say why', async () => {
    const handle = stack.client.workflow.getHandle(`run-${parentId}`);
    const args: [DecideInput] = [{ approvalId: 'none', decisionId: 'none' }];
    const asked = handle.executeUpdate<DecideResult, [DecideInput]>('decideApproval', { args });
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WorkflowUpdateFailedError);
    expect(error).toMatchObject({ cause: { type: 'approval_already_decided', message: 'The approval is not open.' } });
  });

  it('let the run end well', async () => {
    await stack.decide(parentId, await stack.approval(parentId), 'approve');
    const row = await stack.done(parentId);
    expect(row.status).toBe('partial');
    const said = outputOf(row, 'said');
    expect(said).toMatchObject({ code: 'upstream_rejected', message: expect.stringContaining(MARK) });
  });
});
