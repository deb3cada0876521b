import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { waitUntil } from '../../../infra/embedded/process';
import { DecisionsStore } from '../../../infra/db/stores/decisions.store';
import { seeded, size } from '../../support/fault-size';
import { stopAt, type StopPlace } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { ApiAnswer } from '../../support/product-api';

const AT_ONCE = 20;
const RACES = size(6, 40);
const SECOND = 1 / 60;

interface DecisionView extends JsonObject {
  decisionId: string;
  state: string;
}

/** A gate before an effect. What follows a decision that counted is seen at W. */
export function decisions(bench: () => FaultBench): void {
  const gate = (more = '') => `{name: gate, step_type: approval, prompt: go on${more}}`;

  async function waiting(id: string, more = ''): Promise<{ runId: string; approvalId: string }> {
    const { api } = bench().stack;
    const slug = await api.savePlaybook(playbook(id, [gate(more), callStep('behind', 'keyed')]));
    const runId = await api.startRun(slug);
    return { runId, approvalId: await api.approval(runId) };
  }

  async function decided(approvalId: string): Promise<DecisionView[]> {
    const { api } = bench().stack;
    const state = async (): Promise<DecisionView[]> =>
      (await api.must<{ decisions: DecisionView[] }>('GET', `/approvals/${approvalId}`)).decisions;
    for (;;) {
      const list = await state();
      if (list.every((decision) => decision.state !== 'received')) return list;
      await sleep(100);
    }
  }

  /** Compares the answers to the callers with the final rows. */
  async function expectOneCounted(approvalId: string, answers: readonly ApiAnswer[]): Promise<void> {
    const list = await decided(approvalId);
    expect(list.filter((decision) => decision.state === 'counted')).toHaveLength(1);
    expect(list).toHaveLength(answers.length);
    for (const answer of answers) {
      const known =
        [200, 202].includes(answer.status) ||
        (answer.status === 409 && answer.body['code'] === 'approval_already_decided');
      expect(known ? undefined : answer).toBeUndefined();
    }
    const told = answers.filter(({ status }) => status === 200).map(({ body }) => body['decisionId'] as string);
    const counted = list.filter((decision) => decision.state === 'counted').map((decision) => decision.decisionId);
    expect(told.filter((id) => !counted.includes(id))).toEqual([]);
  }

  async function expectLedger(runId: string, effects: number): Promise<void> {
    const { stack, witness } = bench();
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, effects]]) })).toEqual([]);
  }

  describe('decisions', () => {
    it(`F07a: ${AT_ONCE} approvals at once`, async () => {
      const { api } = bench().stack;
      const { runId, approvalId } = await waiting('f07a');
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => api.decide(approvalId, 'approve')));
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      await expectOneCounted(approvalId, answers);
      await expectLedger(runId, 1);
    });

    it(`F07b: approve against reject, ${RACES} times`, async () => {
      const { api } = bench().stack;
      const random = seeded('F07b');
      for (let at = 0; at < RACES; at++) {
        const { runId, approvalId } = await waiting('f07b', ', on_reject: stop');
        const order = random.pick([
          ['approve', 'reject'],
          ['reject', 'approve'],
        ] as const);
        const answers = await Promise.all(order.map((choice) => api.decide(approvalId, choice)));
        const run = await api.done(runId);
        await expectOneCounted(approvalId, answers);
        const [counted] = (await decided(approvalId)).filter((decision) => decision.state === 'counted');
        expect(run.status).toBe(counted?.['decision'] === 'approve' ? 'complete' : 'rejected');
        await expectLedger(runId, run.status === 'complete' ? 1 : 0);
      }
    });

    it(`F07d: a decision against the timeout, ${RACES} times`, async () => {
      const { api } = bench().stack;
      const random = seeded('F07d');
      for (let at = 0; at < RACES; at++) {
        const { runId, approvalId } = await waiting('f07d', `, timeout_minutes: ${SECOND}, on_timeout: stop`);
        const asked = Date.parse((await api.must<{ due_at: string }>('GET', `/approvals/${approvalId}`)).due_at);
        await sleep(Math.max(0, asked - Date.now() + random.int(-150, 50)));
        const answer = await api.decide(approvalId, 'approve');
        const run = await api.done(runId);
        const list = await decided(approvalId);
        const counted = list.filter((decision) => decision.state === 'counted').length;
        expect([run.status, counted]).toEqual(run.status === 'complete' ? ['complete', 1] : ['timed_out', 0]);
        if (answer.status === 200) expect(run.status).toBe('complete');
        else expect([202, 409]).toContain(answer.status);
        await expectLedger(runId, counted);
      }
    });

    it(`a decision against cancel, ${RACES} times`, async () => {
      const { api } = bench().stack;
      for (let at = 0; at < RACES; at++) {
        const { runId, approvalId } = await waiting('f07-cancel');
        const [answer, cancelled] = await Promise.all([
          api.decide(approvalId, 'approve'),
          api.command(runId, 'cancel'),
        ]);
        const run = await api.done(runId);
        expect([200, 202, 409]).toContain(answer.status);
        expect([200, 202, 409]).toContain(cancelled.status);
        expect(['complete', 'cancelled']).toContain(run.status);
        await decided(approvalId);
        const { witness } = bench();
        await expectLedger(
          runId,
          new Set(witness.seen.filter((seen) => seen.key.startsWith(`${runId}/`)).map((seen) => seen.key)).size,
        );
      }
    });

    it('F07c: while no worker runs', async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      const { runId, approvalId } = await waiting('f07c');
      await stack.killWorkers();
      const answer = await api.decide(approvalId, 'approve');
      expect(answer).toMatchObject({ status: 202, body: { state: 'received' } });
      expect(await api.must('GET', `/approvals/${approvalId}`)).toMatchObject({ decisions: [{ state: 'received' }] });
      expect(witness.seen.filter((seen) => seen.key.startsWith(`${runId}/`))).toEqual([]);
      await stack.startWorker();
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      await expectOneCounted(approvalId, [answer]);
      await expectLedger(runId, 1);
    });

    it('counted in a workflow task that got lost: the run hears of it all the same', async () => {
      const { stack } = bench();
      const { runId, approvalId } = await waiting('f07-lost');
      const rows = new DecisionsStore(stack.database);
      const decisionId = randomUUID();
      const { digest = '' } = await stack.api.must<{ digest?: string }>('GET', `/approvals/${approvalId}`);
      const decision = { approvalId, decisionId, actor: 'local', via: 'api', decision: 'approve', digest } as const;
      await rows.receive(LOCAL_USER_ID, decision);
      expect(await rows.count(approvalId, decisionId)).toMatchObject({ state: 'counted' });
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      await expectLedger(runId, 1);
    });

    /** The task is done in the database, its answer and the update that it was about are lost with the worker and Temporal. */
    async function losing(place: StopPlace, recorded: string, decide: () => Promise<ApiAnswer>): Promise<void> {
      const { stack, toTemporal, calm } = bench();
      const stop = await stopAt(stack.postgres.url, place);
      const answer = decide();
      await stop.reached();
      toTemporal.hold();
      await stop.release();
      await waitUntil(async () => (await stack.admin.query(recorded)).length === 1, {
        what: 'the record',
        timeoutMs: 60_000,
      });
      await stack.killWorkers();
      await stack.temporal.kill();
      await stack.temporal.start();
      expect([200, 202]).toContain((await answer).status);
      await calm();
    }

    it('the workflow task that ended the run got lost: the history ends too', async () => {
      const { api } = bench().stack;
      const { runId, approvalId } = await waiting('f07-lost-end', ', on_reject: stop');
      const place = {
        table: 'runs',
        event: 'update',
        when: `new.id = '${runId}' and new.status = 'rejected'`,
      } as const;
      const recorded = `select 1 from runs where id = '${runId}' and status = 'rejected'`;
      await losing(place, recorded, () => api.decide(approvalId, 'reject'));
      await expectLedger(runId, 0);
    });

    it('the workflow task that asked at the next gate got lost: both decisions count', async () => {
      const { api } = bench().stack;
      const next = '{name: next, step_type: approval, prompt: and on}';
      const slug = await api.savePlaybook(playbook('f07-lost-gate', [gate(), next, callStep('behind', 'keyed')]));
      const runId = await api.startRun(slug);
      const first = await api.approval(runId);
      const mine = `run_id = '${runId}' and step_path = 'next'`;
      const place = { table: 'approvals', when: `new.run_id = '${runId}' and new.step_path = 'next'` };
      await losing(place, `select 1 from approvals where ${mine}`, () => api.decide(first, 'approve'));
      expect([200, 202]).toContain((await api.decide(await api.approval(runId), 'approve')).status);
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      await expectLedger(runId, 1);
    });

    it('F07e: after cancel', async () => {
      const { api } = bench().stack;
      const { runId, approvalId } = await waiting('f07e');
      await api.command(runId, 'cancel');
      expect(await api.decide(approvalId, 'approve')).toMatchObject({ status: 409, body: { code: 'run_closed' } });
      expect(await api.done(runId)).toMatchObject({ status: 'cancelled' });
      expect(await api.decide(approvalId, 'approve')).toMatchObject({ status: 409, body: { code: 'run_closed' } });
      await expectLedger(runId, 0);
    });

    it('F07f: the same decision id twice', async () => {
      const { api } = bench().stack;
      const { runId, approvalId } = await waiting('f07f');
      const decisionId = randomUUID();
      const first = await api.decide(approvalId, 'approve', { decisionId });
      await api.done(runId);
      const second = await api.decide(approvalId, 'approve', { decisionId });
      expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
      expect(await decided(approvalId)).toHaveLength(1);
      expect((await api.decide(approvalId, 'reject', { decisionId })).status).toBe(422);
      await expectLedger(runId, 1);
    });
  });
}
