import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../infra/embedded/process';
import { size } from '../../support/fault-size';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { OutageBench } from '../../support/outage-bench';

const RUNS = size(8, 40);
/** Longer than the heartbeat time-out of the stack. */
const CUT_MS = size(4_000, 60_000);
const STEPS = 3;

/** A way is cut, for longer than anybody waits, and mended. */
export function waysCut(bench: () => OutageBench): void {
  const steps = Array.from({ length: STEPS }, (_unused, at) => callStep(`s${at}`, 'keyed'));

  async function startBusy(id: string): Promise<string[]> {
    const { stack, witness } = bench();
    const slug = await stack.api.savePlaybook(playbook(id, steps));
    witness.respond(() => ({ delayMs: 300 }));
    const runs = await Promise.all(Array.from({ length: RUNS }, () => stack.api.startRun(slug)));
    await witness.arrived((seen) => runs.some((runId) => seen.key.startsWith(`${runId}/`)));
    return runs;
  }

  async function expectHealed(runs: readonly string[]): Promise<void> {
    const { stack, witness } = bench();
    for (const runId of runs) expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
    witness.respond(undefined);
    const effects = new Map(runs.map((runId) => [runId, STEPS]));
    expect(await checkLedger(stack, { witness, runs, effects })).toEqual([]);
  }

  describe('a way cut', () => {
    it('F27a: worker to Temporal', async () => {
      const { toTemporal } = bench();
      const runs = await startBusy('f27a');
      toTemporal.cut();
      await sleep(CUT_MS);
      toTemporal.mend();
      await expectHealed(runs);
    });

    it('F27a: worker to the database', async () => {
      const { toDatabase } = bench();
      const runs = await startBusy('f27a-db');
      toDatabase.cut();
      await sleep(CUT_MS);
      toDatabase.mend();
      await expectHealed(runs);
    });

    it('F27b: API to the database', async () => {
      const { stack, apiToDatabase } = bench();
      const { api } = stack;
      const health = async (what: string): Promise<number> => (await fetch(`${api.url}/health/${what}`)).status;
      const waiting = await api.startRun(await api.savePlaybook(playbook('f27b-gate', [GATE])));
      const approvalId = await api.approval(waiting);
      const runs = await startBusy('f27b');
      apiToDatabase.cut();
      const during = [
        await api.call('GET', `/runs/${waiting}`),
        await api.call('POST', '/runs', { playbook: 'f27b', inputs: {} }),
        await api.decide(approvalId, 'approve'),
      ];
      expect(during.map(({ status, body }) => [status, body['code']])).toEqual(
        during.map(() => [503, 'database_unavailable']),
      );
      expect(await health('ready')).toBe(503);
      expect(await health('live')).toBe(200);
      await sleep(CUT_MS);
      apiToDatabase.mend();
      await waitUntil(async () => (await health('ready')) === 200, { what: 'readiness', timeoutMs: 60_000 });
      expect((await api.decide(approvalId, 'approve')).status).toBe(200);
      await expectHealed(runs);
      expect(await api.done(waiting)).toMatchObject({ status: 'complete' });
    });
  });
}
