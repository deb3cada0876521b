import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { ActionTable } from '../../activities/actions/types';
import { AppError } from '../../core/errors/app-error';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';
import { describeTimeSkipping, startTimeSkipping } from '../support/time-skipping';

/** Days pass in moments: the server's clock jumps to the next timer. The database's cannot, so its limits come nearer. */
const tries = new Map<string, number>();
const HOUR = 3_600_000;

const actions: ActionTable = {
  echo: async (call) => ({ output: { ...call.inputs } }),
  /** Fails the first time and asks to be left alone for some hours. */
  busy: async (call, context) => {
    const seen = (tries.get(context.effectKey) ?? 0) + 1;
    tries.set(context.effectKey, seen);
    if (seen > 1) return { output: { seen } };
    const details = { retry_after_ms: Number(call.inputs['hours']) * HOUR };
    throw new AppError('rate_limited', 'Not now.', { category: 'rate_limited', retryable: true, details });
  },
};

const gate = (more: string): string => `
  - {name: ask, step_type: approval, prompt: go, ${more}}
  - {name: end, step_type: tool, action: echo, inputs: {d: "{ask.decision}"}}`;

describeTimeSkipping('clocks', () => {
  let server: TestWorkflowEnvironment;
  let stack: InProcess;
  beforeAll(async () => {
    server = await startTimeSkipping();
    stack = await startInProcess({
      actions,
      temporalAddress: server.address,
      env: { AF_CONTINUE_AS_NEW_EVENTS: '50' },
    });
  });
  afterAll(async () => {
    await stack?.close();
    await server?.teardown();
  });

  let number = 0;
  const begin = async (steps: string): Promise<string> => {
    const id = `clock-${++number}`;
    return stack.start(await stack.save(`id: ${id}\nname: ${id}\nsteps:${steps}`));
  };
  /** Hours that the server's clock is ahead of the database's. */
  let ahead = 0;
  const nearer = (hours: number, approvalId?: string): Promise<unknown> =>
    stack.admin.query(
      `update approvals set due_at = due_at - i, remind_at = remind_at - i, escalate_at = escalate_at - i
        from make_interval(hours => $1) i where status = 'waiting' and id = coalesce($2, id)`,
      [hours, approvalId ?? null],
    );
  const asked = async (runId: string): Promise<string> => {
    const approvalId = await stack.approval(runId);
    await nearer(ahead, approvalId);
    return approvalId;
  };
  const passes = async (hours: number): Promise<void> => {
    await nearer(hours);
    ahead += hours;
    await server.sleep(hours * HOUR);
  };

  it.each([
    ['stop', 'timed_out', undefined],
    ['skip', 'complete', { d: 'skipped' }],
  ])('on_timeout: %s after three days without an answer', async (choice, status, end) => {
    const runId = await begin(gate(`timeout_minutes: 4320, on_timeout: ${choice}`));
    const approvalId = await asked(runId);
    await passes(71);
    expect((await stack.runs.require(LOCAL_USER_ID, runId)).status).toBe('waiting_approval');
    await passes(2);
    const run = await stack.done(runId);
    expect([run.status, outputOf(run, 'end')]).toEqual([status, end]);
    expect((await stack.approvals.require(LOCAL_USER_ID, approvalId)).status).toBe('timed_out');
  });

  it('a decision in time counts, and its timer does nothing later', async () => {
    const runId = await begin(gate('timeout_minutes: 4320, on_timeout: stop'));
    const approvalId = await asked(runId);
    await passes(71);
    expect(await stack.decide(runId, approvalId, 'approve')).toEqual({ state: 'counted' });
    const run = await stack.done(runId);
    await passes(240);
    expect([run.status, outputOf(run, 'end')]).toEqual(['complete', { d: 'approved' }]);
    expect((await stack.approvals.require(LOCAL_USER_ID, approvalId)).status).toBe('approved');
  });

  it('an answer after the time is refused', async () => {
    const runId = await begin(gate('timeout_minutes: 60, on_timeout: skip'));
    const approvalId = await asked(runId);
    await passes(2);
    await stack.done(runId);
    expect(await stack.decide(runId, approvalId, 'approve')).toEqual({ state: 'refused', code: 'approval_due_passed' });
    expect((await stack.approvals.require(LOCAL_USER_ID, approvalId)).status).toBe('timed_out');
  });

  it('reminds, and lets others decide, in its time and while nobody has answered', async () => {
    const [other, third] = [randomUUID(), randomUUID()];
    await stack.admin.query(
      `insert into users (id, handle, display_name) values ($1, 'other', 'Other'), ($2, 'third', 'Third')`,
      [other, third],
    );
    const runId = await begin(
      gate(
        'approvers: {users: [other]}, remind_after_minutes: 1440, escalate_after_minutes: 2880, escalate_to: {users: [third]}',
      ),
    );
    const approvalId = await asked(runId);
    const nudges = async (): Promise<string[]> =>
      (await stack.events(runId)).map((event) => event.type).filter((type) => /reminded|escalated/.test(type));
    await passes(23);
    expect(await nudges()).toEqual([]);
    await passes(2);
    await eventually(async () => (await nudges()).length === 1);
    expect(await stack.approvals.get(third, approvalId)).toBeNull();
    await passes(24);
    await eventually(async () => (await nudges()).length === 2);
    expect(await nudges()).toEqual(['approval.reminded', 'approval.escalated']);
    expect((await stack.runs.require(LOCAL_USER_ID, runId)).status).toBe('waiting_approval');
    expect(await stack.decide(runId, approvalId, 'approve', { by: third })).toEqual({ state: 'counted' });
    expect(outputOf(await stack.done(runId), 'end')).toEqual({ d: 'approved' });
  });

  it('a retry waits as long as the target asked', async () => {
    const runId = await begin('\n  - {name: call, step_type: tool, action: busy, retry_count: 1, inputs: {hours: 30}}');
    await stack.until(runId, () => tries.get(`${runId}/call`) === 1, 'the first try');
    await passes(29);
    expect(tries.get(`${runId}/call`)).toBe(1);
    await passes(2);
    const run = await stack.done(runId);
    expect([run.status, outputOf(run, 'call')]).toEqual(['complete', { seen: 2 }]);
  });

  it('the time of a gate goes on across continue-as-new', async () => {
    const runId = await begin(`
  - name: both
    action: parallel
    parallel_steps:
      - {name: ask, step_type: approval, prompt: go, timeout_minutes: 4320, on_timeout: skip}
      - {name: turns, loop: {until: "{one.v} == 2", max_iterations: 16, steps: [{name: one, step_type: tool, action: echo, inputs: {v: 1}}]}}
  - {name: end, step_type: tool, action: echo, inputs: {d: "{ask.decision}"}}`);
    await asked(runId);
    await eventually(async () =>
      (await stack.events(runId)).some(
        (event) => event.step_path?.endsWith('turns[15]/one') && event.type === 'step.finished',
      ),
    );
    await passes(71);
    const history = await stack.client.workflow.getHandle(`run-${runId}`).fetchHistory();
    expect(history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).toBeTruthy();
    expect((await stack.runs.require(LOCAL_USER_ID, runId)).status).toBe('waiting_approval');
    await passes(2);
    const run = await stack.done(runId);
    expect([run.status, outputOf(run, 'end')]).toEqual(['complete', { d: 'skipped' }]);
  });
});

async function eventually(test: () => Promise<boolean>): Promise<void> {
  while (!(await test())) await sleep(50);
}
