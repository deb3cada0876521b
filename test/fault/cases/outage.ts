import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { FaultBench } from '../../support/fault-bench';
import { seeded, size } from '../../support/fault-size';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';

const RUNS = size(30, 200);
const AWAY_MS = size(2_000, 60_000);
const STEPS = 5;

/** Outages of everything of one kind. */
export function outages(bench: () => FaultBench): void {
  it(`F02a: all workers killed with ${RUNS} runs in flight, back after ${AWAY_MS / 1000} s`, async () => {
    const { stack, witness, calm } = bench();
    const { api } = stack;
    const random = seeded('F02a');
    const steps = Array.from({ length: STEPS }, (_unused, at) => callStep(`s${at}`, 'keyed'));
    const slug = await api.savePlaybook(playbook('in-flight', steps));
    await stack.startWorker();
    const before = witness.seen.length;
    witness.respond(() => ({ delayMs: random.int(50, 400) }));
    const runs: string[] = [];
    for (let at = 0; at < RUNS; at++) runs.push(await api.startRun(slug));
    const some = random.int(RUNS, RUNS * (STEPS - 2));
    await witness.arrived((seen) => witness.seen.indexOf(seen) >= before, some);
    await stack.killWorkers();
    await sleep(AWAY_MS);
    await calm();
    for (const id of runs) expect(await api.done(id)).toMatchObject({ status: 'complete', steps_done: STEPS });
    expect(await checkLedger(stack, { witness, runs, effects: new Map(runs.map((id) => [id, STEPS])) })).toEqual([]);
  });

  describe(`F27c: the network between worker and tool is away for ${AWAY_MS / 1000} s`, () => {
    const retried = { connector: 'wp', more: 'retry_count: 10, on_error: stop' };
    const slug = playbook('cut', [
      callStep('first', 'keyed'),
      callStep('point', 'keyed', retried),
      callStep('then', 'keyed'),
    ]);

    it('packets are held back: the step goes on when they pass again', async () => {
      const { stack, witness, toWitness } = bench();
      const { api } = stack;
      toWitness.hold();
      const runId = await api.startRun(await api.savePlaybook(slug));
      await sleep(AWAY_MS);
      toWitness.release();
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 3]]) })).toEqual([]);
    });

    it('connections break, the request arrived: the retry carries the same key', async () => {
      const { stack, witness, toWitness } = bench();
      const { api } = stack;
      const held = witness.hold((seen) => seen.key.endsWith('/point'));
      const runId = await api.startRun(await api.savePlaybook(slug));
      await held;
      toWitness.cut();
      await sleep(AWAY_MS);
      toWitness.mend();
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      const repeats = witness.seen.filter(({ key }) => key === `${runId}/point`);
      expect(repeats.length).toBeGreaterThan(1);
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 3]]) })).toEqual([]);
    });
  });
}
