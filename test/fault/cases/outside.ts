import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { startInputOf } from '../../support/histories';
import { checkLedger } from '../../support/ledger';
import type { OutageBench } from '../../support/outage-bench';

interface Waiting {
  runId: string;
  approvalId: string;
}

/** Operators may do to a workflow what they like: the run's row tells it, soon and with a code. */
export function outside(bench: () => OutageBench): void {
  let slug = '';
  let honest: JsonObject = {};
  let terminated: Waiting;
  let deleted: Waiting;
  let broken = '';
  let forged = '';

  async function waiting(): Promise<Waiting> {
    const { api } = bench().stack;
    const runId = await api.startRun(slug);
    return { runId, approvalId: await api.approval(runId) };
  }

  function startWorkflow(runId: string, input: JsonObject) {
    const options = { workflowId: `run-${runId}`, taskQueue: 'af-default', args: [input] };
    return bench().stack.client.workflow.start('playbookRun', options);
  }

  /** A run whose row is there and whose workflow somebody else starts, with another input. */
  async function hijacked(change: JsonObject): Promise<string> {
    const { stack, apiToTemporal } = bench();
    apiToTemporal.cut();
    const runId = await stack.api.startRun(slug);
    await startWorkflow(runId, { ...honest, runId, ...change });
    apiToTemporal.mend();
    return runId;
  }

  async function expectClosed(runId: string, code: string, effects: number): Promise<void> {
    const { stack, witness } = bench();
    expect(await stack.api.done(runId)).toMatchObject({ status: 'failed', code, waits: [] });
    const journal = await stack.admin.query(`select 1 from journal_entries where run_id = $1`, [runId]);
    expect(journal).toHaveLength(1);
    expect((await stack.api.events(runId)).at(-1)).toMatchObject({ event: 'complete', data: { status: 'failed' } });
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, effects]]) })).toEqual([]);
  }

  async function expectTooLate({ approvalId }: Waiting): Promise<void> {
    const answer = await bench().stack.api.decide(approvalId, 'approve');
    expect(answer).toMatchObject({ status: 409, body: { code: 'run_closed' } });
  }

  describe('a run from outside', () => {
    // The reconciler takes its time with each: they wait together.
    beforeAll(async () => {
      const { stack } = bench();
      slug = await stack.api.savePlaybook(
        playbook('outside', [callStep('first', 'keyed'), GATE, callStep('second', 'keyed')]),
      );
      terminated = await waiting();
      honest = await startInputOf(stack, terminated.runId);
      deleted = await waiting();
      await stack.client.workflow.getHandle(`run-${terminated.runId}`).terminate('an operator did it');
      const execution = { workflowId: `run-${deleted.runId}` };
      await stack.client.workflowService.deleteWorkflowExecution({
        namespace: 'default',
        workflowExecution: execution,
      });
      // Looks like a plan from outside, so that it is the workflow's own code that breaks.
      broken = await hijacked({ plan: { ...(honest['plan'] as JsonObject), steps: [null] } });
      forged = await hijacked({ ownerId: randomUUID() });
    });

    it('terminated', async () => {
      await expectClosed(terminated.runId, 'workflow_terminated', 1);
      await expectTooLate(terminated);
    });

    it('deleted', async () => {
      await expectClosed(deleted.runId, 'workflow_missing', 1);
      await expectTooLate(deleted);
    });

    it('forged: under the name of another owner', async () => {
      await expectClosed(forged, 'workflow_failed', 0);
      const { events } = await bench().stack.client.workflow.getHandle(`run-${forged}`).fetchHistory();
      expect(JSON.stringify(events?.at(-1)?.workflowExecutionFailedEventAttributes)).toContain('context_mismatch');
    });

    it('broken: its workflow task fails again and again', async () => {
      const { stack } = bench();
      const run = await stack.api.until(broken, ({ status }) => status === 'needs_attention', 'attention');
      const code = 'workflow_task_failing';
      expect(run).toMatchObject({ code, message: expect.stringMatching(/null/), waits: [{ kind: 'attention', code }] });
      expect(await checkLedger(stack, { runs: [broken] })).toEqual([]);
      await stack.client.workflow.getHandle(`run-${broken}`).terminate();
      await expectClosed(broken, 'workflow_terminated', 0);
    });

    it('forged: for a run that does not exist', async () => {
      const { witness } = bench();
      const runId = randomUUID();
      const handle = await startWorkflow(runId, { ...honest, runId });
      await expect(handle.result()).rejects.toThrow();
      expect(witness.seen.filter((seen) => seen.key.startsWith(`${runId}/`))).toEqual([]);
    });
  });
}
