import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { OutageBench } from '../../support/outage-bench';
import type { ProductApi } from '../../support/product-api';

const SECONDS = 4;

interface Waiting {
  runId: string;
  approvalId: string;
  /** Resolves when nobody can decide any more. */
  over: () => Promise<void>;
}

/** Time of receipt of an act against the time of its processing: late-decision.yaml and its kind. */
export function receipt(bench: () => OutageBench): void {
  async function waiting(id: string): Promise<Waiting> {
    const { api } = bench().stack;
    const gate = `{name: gate, step_type: approval, prompt: go, timeout_minutes: ${SECONDS / 60}, on_timeout: stop}`;
    const steps = [callStep('s1', 'keyed', { more: 'on_error: stop' }), gate, callStep('s2', 'keyed')];
    const runId = await api.startRun(await api.savePlaybook(playbook(id, steps)));
    const approvalId = await api.approval(runId);
    return { runId, approvalId, over: () => passed(api, approvalId) };
  }

  async function passed(api: ProductApi, approvalId: string): Promise<void> {
    const { due_at: due } = await api.must<{ due_at: string }>('GET', `/approvals/${approvalId}`);
    await sleep(Math.max(0, Date.parse(due) - Date.now()) + 200);
  }

  async function ends(runId: string, status: string, effects: number): Promise<void> {
    const { stack, witness } = bench();
    expect(await stack.api.done(runId)).toMatchObject({ status });
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, effects]]) })).toEqual([]);
  }

  describe('receipt against processing time', () => {
    it('no worker: a decision after due_at is refused at once, and nothing leaves', async () => {
      const { stack } = bench();
      const { api } = stack;
      const { runId, approvalId, over } = await waiting('receipt-late');
      await stack.killWorkers();
      await over();
      expect(await api.decide(approvalId, 'approve')).toMatchObject({
        status: 409,
        body: { code: 'approval_due_passed' },
      });
      expect(await api.must('GET', `/approvals/${approvalId}`)).toMatchObject({
        status: 'waiting',
        due_passed: true,
        may_decide: false,
        may_not_because: 'approval_due_passed',
      });
      await stack.startWorker();
      await ends(runId, 'timed_out', 1);
    });

    it('no worker: a decision before due_at counts, however late it is heard of', async () => {
      const { stack } = bench();
      const { runId, approvalId, over } = await waiting('receipt-early');
      await stack.killWorkers();
      expect(await stack.api.decide(approvalId, 'approve')).toMatchObject({ status: 202 });
      await over();
      await stack.startWorker();
      await ends(runId, 'complete', 2);
    });

    it('API to Temporal cut: the timer finds what was received in time', async () => {
      const { stack, apiToTemporal } = bench();
      const { runId, approvalId, over } = await waiting('receipt-cut');
      apiToTemporal.cut();
      expect(await stack.api.decide(approvalId, 'approve')).toMatchObject({ status: 202 });
      await over();
      // The way stays cut: the run's own timer is all that it hears.
      await ends(runId, 'complete', 2);
      apiToTemporal.mend();
    });

    it('Temporal away from before due_at until after it', async () => {
      const { stack } = bench();
      const early = await waiting('receipt-away');
      const late = await waiting('receipt-away-late');
      await stack.temporal.kill();
      expect(await stack.api.decide(early.approvalId, 'approve')).toMatchObject({ status: 202 });
      await Promise.all([early.over(), late.over()]);
      expect(await stack.api.decide(late.approvalId, 'approve')).toMatchObject({
        status: 409,
        body: { code: 'approval_due_passed' },
      });
      await stack.temporal.start();
      await ends(early.runId, 'complete', 2);
      await ends(late.runId, 'timed_out', 1);
    });
  });
}
