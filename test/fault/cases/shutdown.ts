import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';

const isPoint = (runId: string) => (seen: { key: string }) => seen.key === `${runId}/point`;

/** A worker that is asked to stop. The grace time of the stack is five seconds. */
export function shutdown(bench: () => FaultBench): void {
  const slow = playbook('slow', [callStep('point', 'keyed'), callStep('then', 'keyed')]);

  describe('SIGTERM to a worker in a slow step', () => {
    it('F29a: an answer within the grace time is recorded: the step is done once, exit code 0', async () => {
      const { stack, witness } = bench();
      const slug = await stack.api.savePlaybook(slow);
      const held = witness.hold((seen) => seen.key.endsWith('/point'));
      const runId = await stack.api.startRun(slug);
      await held;
      const leaving = stack.workers.filter((worker) => worker.alive());
      const exits = Promise.all(leaving.map((worker) => worker.stop()));
      (await held).release();
      expect(await exits).toEqual(leaving.map(() => ({ code: 0, signal: null })));
      await stack.startWorker();
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      expect(witness.seen.filter(isPoint(runId))).toHaveLength(1);
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 2]]) })).toEqual([]);
    });

    it.each([1, 2])('F29a, F29c: after the grace time the step is handed over, signals: %i', async (signals) => {
      const { stack, witness } = bench();
      const slug = await stack.api.savePlaybook(slow);
      const held = witness.hold((seen) => seen.key.endsWith('/point'));
      const runId = await stack.api.startRun(slug);
      await held;
      const leaving = stack.workers.filter((worker) => worker.alive());
      for (let sent = 1; sent < signals; sent++) {
        for (const worker of leaving) worker.signal('SIGTERM');
        await sleep(1_000);
      }
      expect(await Promise.all(leaving.map((worker) => worker.stop()))).toEqual(
        leaving.map(() => ({ code: 0, signal: null })),
      );
      await stack.startWorker();
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      expect(await stack.api.tries(runId, 'point')).toMatchObject([{ status: 'ok', attempts: 2, losses: 0 }]);
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 2]]) })).toEqual([]);
    });
  });
}
