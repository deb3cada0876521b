import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { SYSTEM } from '../../../infra/db/database';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { OutageBench } from '../../support/outage-bench';

/** Operators may do to a workflow what they like: the run's row tells it, soon and with a code. */
export function outside(bench: () => OutageBench): void {
  const steps = [callStep('first', 'keyed'), GATE, callStep('second', 'keyed')];

  async function waiting(id: string): Promise<{ runId: string; approvalId: string }> {
    const { api } = bench().stack;
    const runId = await api.startRun(await api.savePlaybook(playbook(id, steps)));
    return { runId, approvalId: await api.approval(runId) };
  }

  async function expectClosed(runId: string, code: string, effects: number): Promise<void> {
    const { stack, witness } = bench();
    expect(await stack.api.done(runId)).toMatchObject({ status: 'failed', code, waits: [] });
    const journal = await stack.database.query(SYSTEM, `select 1 from journal_entries where run_id = $1`, [runId]);
    expect(journal).toHaveLength(1);
    expect((await stack.api.events(runId)).at(-1)).toMatchObject({ event: 'complete', data: { status: 'failed' } });
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, effects]]) })).toEqual([]);
  }

  /** A run whose row is there and whose workflow somebody else starts, with another input. */
  async function forged(id: string, change: (input: Record<string, unknown>) => unknown): Promise<string> {
    const { stack, apiToTemporal } = bench();
    const slug = await stack.api.savePlaybook(playbook(id, steps));
    const honest = await stack.api.startRun(slug);
    await stack.api.approval(honest);
    const history = await stack.client.workflow.getHandle(`run-${honest}`).fetchHistory();
    const payload = history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
    const input = JSON.parse(Buffer.from(payload?.data ?? '').toString()) as Record<string, unknown>;
    await stack.api.command(honest, 'cancel');
    apiToTemporal.cut();
    const runId = await stack.api.startRun(slug);
    await stack.client.workflow.start('playbookRun', {
      workflowId: `run-${runId}`,
      taskQueue: 'af-default',
      args: [change({ ...input, runId })],
    });
    apiToTemporal.mend();
    return runId;
  }

  describe('a run from outside', () => {
    it('terminated', async () => {
      const { stack } = bench();
      const { runId, approvalId } = await waiting('terminated');
      await stack.client.workflow.getHandle(`run-${runId}`).terminate('an operator did it');
      await expectClosed(runId, 'workflow_terminated', 1);
      expect(await stack.api.decide(approvalId, 'approve')).toMatchObject({ status: 409, body: { code: 'run_closed' } });
    });

    it('deleted', async () => {
      const { stack } = bench();
      const { runId, approvalId } = await waiting('deleted');
      const { workflowService } = stack.client;
      await workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution: { workflowId: `run-${runId}` } });
      await expectClosed(runId, 'workflow_missing', 1);
      expect(await stack.api.decide(approvalId, 'approve')).toMatchObject({ status: 409, body: { code: 'run_closed' } });
    });

    it('broken: its workflow task fails again and again', async () => {
      const { stack } = bench();
      const runId = await forged('broken', (input) => ({ ...input, plan: null }));
      const run = await stack.api.until(runId, ({ status }) => status === 'needs_attention', 'attention');
      expect(run).toMatchObject({ code: 'workflow_task_failing', message: expect.stringMatching(/null/) });
      expect(run.waits).toHaveLength(1);
      expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
      await stack.client.workflow.getHandle(`run-${runId}`).terminate();
      await expectClosed(runId, 'workflow_terminated', 0);
    });

    it('forged: under the name of another owner', async () => {
      const { stack } = bench();
      const runId = await forged('forged', (input) => ({ ...input, ownerId: randomUUID() }));
      await expectClosed(runId, 'workflow_failed', 0);
      const failure = (await stack.client.workflow.getHandle(`run-${runId}`).fetchHistory()).events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure;
      expect(JSON.stringify(failure)).toContain('context_mismatch');
    });

    it('forged: for a run that does not exist', async () => {
      const { stack, witness } = bench();
      const runId = randomUUID();
      const { runId: model } = await waiting('forged-none');
      const history = await stack.client.workflow.getHandle(`run-${model}`).fetchHistory();
      const payload = history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
      const input = JSON.parse(Buffer.from(payload?.data ?? '').toString()) as Record<string, unknown>;
      const handle = await stack.client.workflow.start('playbookRun', { workflowId: `run-${runId}`, taskQueue: 'af-default', args: [{ ...input, runId, ownerId: LOCAL_USER_ID }] });
      await expect(handle.result()).rejects.toThrow();
      expect(witness.seen.filter((seen) => seen.key.startsWith(`${runId}/`))).toEqual([]);
    });
  });
}
