import { beforeAll, describe, expect, it } from '@jest/globals';
import { af } from '../../support/af';
import { stopAt } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { Outcome } from '../../support/product-api';

const BEFORE_AND_AFTER = playbook('unsafe', [
  callStep('first', 'keyed'),
  callStep('point', 'unsafe'),
  callStep('then', 'keyed'),
]);
const ANSWERS: { outcome: Outcome; status: string; requests: number }[] = [
  { outcome: 'done', status: 'complete', requests: 1 },
  { outcome: 'not_done', status: 'partial', requests: 1 },
  { outcome: 'repeat', status: 'complete', requests: 2 },
];

const isPoint = (runId: string) => (seen: { key: string }) => seen.key === `${runId}/point`;

/** A target that honours no keys: what left once is not sent again unless a person says so. */
export function unsafeEffects(bench: () => FaultBench): void {
  describe('an unsafe effect', () => {
    const runs: string[] = [];
    // One kill for all answers: W works on every request when the worker dies.
    beforeAll(async () => {
      const { stack, witness, calm } = bench();
      const slug = await stack.api.savePlaybook(BEFORE_AND_AFTER);
      witness.respond((seen) => (seen.key.endsWith('/point') ? new Promise(() => undefined) : undefined));
      while (runs.length < ANSWERS.length) runs.push(await stack.api.startRun(slug));
      await witness.arrived((seen) => runs.some((id) => isPoint(id)(seen)), ANSWERS.length);
      await stack.killWorkers();
      await calm();
    });

    it.each(ANSWERS.map((answer, at) => ({ ...answer, at })))(
      'without a result asks a person; "$outcome" ends $status',
      async ({ at, outcome, status, requests }) => {
        const { stack, witness } = bench();
        const { api } = stack;
        const runId = runs[at] ?? '';
        const asks = await api.until(runId, (run) => run.status === 'needs_attention', 'needs_attention');
        expect(asks.waits).toMatchObject([{ kind: 'attention', step_path: 'point', code: 'effect_outcome_unknown' }]);
        expect(witness.seen.filter(isPoint(runId))).toHaveLength(1);
        expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 2]]) })).toEqual([]);

        expect(await api.resolve(runId, 'point', outcome)).toMatchObject({ status: 200 });
        const failed = outcome === 'not_done' ? 1 : 0;
        expect(await api.done(runId)).toMatchObject({
          status,
          connectors_called: [
            { endpoint: 'keyed', calls: 2 },
            { connector: 'w', endpoint: 'unsafe', calls: 1, failed, requests: 1 },
          ],
        });
        expect(witness.seen.filter(isPoint(runId))).toHaveLength(requests);
        expect(await api.resolve(runId, 'point', 'repeat')).toMatchObject({ status: 409 });
        expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 3]]) })).toEqual([]);
      },
    );

    it('whose worker is killed before the request is announced goes on by itself', async () => {
      const { stack, witness, calm } = bench();
      const slug = await stack.api.savePlaybook(BEFORE_AND_AFTER);
      const place = { table: 'run_events', when: `new.type = 'effect.sent' and new.step_path = 'point'` };
      const stop = await stopAt(stack.postgres.url, place);
      const runId = await stack.api.startRun(slug);
      await stop.reached();
      await stack.killWorkers();
      await stop.breakOff();
      await stop.release();
      await calm();
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      expect(witness.seen.filter(isPoint(runId))).toHaveLength(1);
    });

    it('of a late attempt is not sent when another one has done it', async () => {
      const { stack, witness, toTemporal } = bench();
      const { api } = stack;
      const slug = await api.savePlaybook(
        playbook('unsafe-late', [callStep('point', 'unsafe'), GATE, callStep('then', 'keyed')]),
      );
      const stop = await stopAt(stack.postgres.url, { table: 'step_attempts', when: `new.step_path = 'point'` });
      const runId = await api.startRun(slug);
      await stop.reached();
      const frozen = stack.workers.find((worker) => worker.alive());
      frozen?.signal('SIGSTOP');
      await stop.release();
      toTemporal.cut();
      toTemporal.mend();
      await stack.startWorker();
      const approvalId = await api.approval(runId);
      frozen?.signal('SIGCONT');
      expect(await frozen?.stop()).toEqual({ code: 0, signal: null });
      expect(witness.seen.filter(isPoint(runId))).toHaveLength(1);
      expect(await api.decide(approvalId, 'approve')).toMatchObject({ status: 200 });
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 2]]) })).toEqual([]);
    });

    it('of a target that never answers asks a person when its time is up, who answers by the command line', async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      const silent = callStep('point', 'unsafe', { more: 'timeout_seconds: 2, retry_count: 3, on_error: retry' });
      const slug = await api.savePlaybook(playbook('unsafe-silent', [silent]));
      const held = witness.hold((seen) => seen.key.endsWith('/point'));
      const runId = await api.startRun(slug);
      await held;
      await api.until(runId, (run) => run.status === 'needs_attention', 'needs_attention');
      expect(witness.seen.filter(isPoint(runId))).toHaveLength(1);

      const env = { AF_URL: api.url, AF_API_KEY: api.headers['x-api-key'] ?? '' };
      expect(await af(['resolve', runId, 'point', 'perhaps'], { env })).toMatchObject({ code: 2, stdout: '' });
      expect((await api.run(runId)).status).toBe('needs_attention');
      expect(await af(['resolve', runId, 'point', 'done'], { env })).toEqual({
        code: 0,
        stdout: `Step point of run ${runId}: done.\n`,
        stderr: '',
      });
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      expect(witness.seen.filter(isPoint(runId))).toHaveLength(1);
      const again = await af(['resolve', runId, 'point', 'done'], { env });
      expect([again.code, again.stdout]).toEqual([1, '']);
    });
  });
}
