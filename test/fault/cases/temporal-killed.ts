import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../infra/embedded/process';
import { size } from '../../support/fault-size';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { OutageBench } from '../../support/outage-bench';
import type { ApiAnswer } from '../../support/product-api';

const WAITING = size(10, 50);
const STREAM = { before: size(8, 40), away: size(20, 150), after: size(8, 40), everyMs: size(100, 200) };

/** kill -9 of Temporal; it comes back on the same file. */
export function temporalKilled(bench: () => OutageBench): void {
  describe('Temporal killed', () => {
    it(`F04a: ${WAITING} waiting runs, one in mid-step and a decision in flight`, async () => {
      const { stack, witness, apiToTemporal } = bench();
      const { api } = stack;
      const slug = await api.savePlaybook(
        playbook('f04a', [callStep('first', 'keyed'), GATE, callStep('second', 'keyed')]),
      );
      const runs = await Promise.all(Array.from({ length: WAITING }, () => api.startRun(slug)));
      const approvals = await Promise.all(runs.map((runId) => api.approval(runId)));
      const held = witness.hold((seen) => seen.key.endsWith('/middle'));
      const busy = await api.startRun(
        await api.savePlaybook(playbook('f04a-mid', [callStep('middle', 'keyed'), callStep('last', 'keyed')])),
      );
      const request = await held;
      apiToTemporal.hold('requests');
      const inFlight = api.decide(approvals[0] ?? '', 'approve');
      await waitUntil(() => apiToTemporal.waiting('requests') > 0, {
        what: 'the decision in flight',
        timeoutMs: 60_000,
      });

      await stack.temporal.kill();
      apiToTemporal.release();
      request.release();
      expect(await inFlight).toMatchObject({ status: 202, body: { state: 'received' } });
      await stack.temporal.start();

      const answers = await Promise.all(approvals.slice(1).map((id) => api.decide(id, 'approve')));
      expect(answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
      for (const runId of [...runs, busy]) expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      const effects = new Map([...runs, busy].map((runId) => [runId, 2]));
      expect(await checkLedger(stack, { witness, runs: [...runs, busy], effects })).toEqual([]);
      expect(await countedDecisions(bench(), runs)).toBe(WAITING);
    });

    it('F04c: while triggers arrive, each is kept or refused', async () => {
      const { stack } = bench();
      const { api } = stack;
      const slug = await api.savePlaybook(
        playbook('f04c', [
          `{name: one, step_type: tool, action: write_journal_entry, inputs: {summary: "{execution_id}"}}`,
        ]),
      );
      const pending: Promise<ApiAnswer>[] = [];
      const stream = async (count: number): Promise<void> => {
        for (let at = 0; at < count; at++) {
          pending.push(api.call('POST', '/runs', { playbook: slug, inputs: {} }));
          await sleep(STREAM.everyMs);
        }
      };
      await stream(STREAM.before);
      await stack.temporal.kill();
      await stream(STREAM.away);
      await stack.temporal.start();
      await stream(STREAM.after);
      const answers = await Promise.all(pending);
      const kept = answers.filter(({ status }) => status === 201).map(({ body }) => body['runId'] as string);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.filter(({ status, headers }) => status !== 503 || headers.get('retry-after') === null)).toEqual(
        [],
      );
      expect(answers.some(({ body }) => body['status'] === 'pending')).toBe(true);
      for (const runId of kept) api.acknowledged.add(runId);
      for (const runId of kept) expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      expect(kept.length).toBeGreaterThan(0);
      expect(await checkLedger(stack, { runs: kept })).toEqual([]);
    });
  });
}

async function countedDecisions({ stack }: OutageBench, runs: readonly string[]): Promise<number> {
  const [row] = await stack.admin.query<{ count: number }>(
    `select count(*)::int as count from approval_decisions where run_id = any($1) and state = 'counted'`,
    [runs],
  );
  return row?.count ?? 0;
}
