import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../infra/embedded/process';
import { stopAt } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';

const STEPS = 10;
const AT_POINT = { table: 'step_results', when: `new.step_path = 'point'` };

interface Point {
  name: string;
  /** Requests that W sees of the step in all, and how often a worker took the step up. */
  requests: number;
  attempts: number;
  /** Brings all runs to the point and kills the worker there. */
  reach(bench: FaultBench, start: () => Promise<string[]>): Promise<string[]>;
}

const isPoint = (runs: readonly string[]) => (seen: { key: string }) => runs.some((id) => seen.key === `${id}/point`);

const POINTS: Point[] = [
  {
    name: 'F01a: before the request leaves',
    requests: 1,
    attempts: 2,
    reach: async ({ stack, toWitness, witness }, start) => {
      toWitness.hold('requests');
      const runs = await start();
      await waitUntil(() => toWitness.waiting('requests') === STEPS, { what: 'ten held requests', timeoutMs: 120_000 });
      expect(witness.seen.filter(isPoint(runs))).toEqual([]);
      await stack.killWorkers();
      // The worker may be gone before the proxy hears of it: what is held back must die with its connection, or the
      // release would send it after all.
      await waitUntil(() => toWitness.waiting('requests') === 0, {
        what: 'the held requests to be dropped',
        timeoutMs: 60_000,
      });
      return runs;
    },
  },
  {
    name: 'while the target works on it',
    requests: 2,
    attempts: 2,
    reach: async ({ stack, witness }, start) => {
      witness.respond((seen) => (seen.key.endsWith('/point') ? new Promise(() => undefined) : undefined));
      const runs = await start();
      await witness.arrived(isPoint(runs), STEPS);
      await stack.killWorkers();
      return runs;
    },
  },
  {
    name: 'with the answer, before it is recorded',
    requests: 2,
    attempts: 2,
    reach: async ({ stack }, start) => {
      const stop = await stopAt(stack.postgres.url, AT_POINT);
      const runs = await start();
      await stop.reached(STEPS);
      await stack.killWorkers();
      await stop.breakOff();
      await stop.release();
      return runs;
    },
  },
  {
    name: 'with the record, before Temporal hears of it',
    requests: 1,
    attempts: 1,
    reach: async ({ stack, toTemporal }, start) => {
      const stop = await stopAt(stack.postgres.url, AT_POINT);
      const runs = await start();
      await stop.reached(STEPS);
      toTemporal.hold();
      await stop.release();
      const recorded = () =>
        stack.admin.query(`select 1 from step_results where step_path = 'point' and run_id = any($1)`, [runs]);
      await waitUntil(async () => (await recorded()).length === STEPS, { what: 'ten records', timeoutMs: 60_000 });
      await stack.killWorkers();
      return runs;
    },
  },
];

/** Ten runs of ten steps, each at another step, so that one kill is a kill at every step. */
export function killPoints(bench: () => FaultBench): void {
  describe('a worker killed at every step of a run of ten steps, with the default on_error', () => {
    const slugs: string[] = [];
    beforeAll(async () => {
      for (let at = 0; at < STEPS; at++) slugs.push(await bench().stack.api.savePlaybook(tenSteps(at)));
    });

    it.each(POINTS)('$name', async ({ reach, requests, attempts }) => {
      const { stack, witness, calm } = bench();
      const { api } = stack;
      const runs = await reach(bench(), () => Promise.all(slugs.map((slug) => api.startRun(slug))));
      await calm();
      for (const id of runs) {
        expect(await api.done(id)).toMatchObject({ status: 'complete', steps_done: STEPS });
        expect(witness.seen.filter(isPoint([id]))).toHaveLength(requests);
        expect(await api.tries(id, 'point')).toMatchObject([{ status: 'ok', attempts, losses: attempts - 1 }]);
        const starts = (await api.events(id)).filter((event) => isStartOfPoint(event));
        expect(starts).toHaveLength(attempts);
      }
      expect(await checkLedger(stack, { witness, runs, effects: new Map(runs.map((id) => [id, STEPS])) })).toEqual([]);
    });
  });
}

function isStartOfPoint({ event, data }: { event: string; data: Record<string, unknown> }): boolean {
  return event === 'step.started' && data['step'] === 'point';
}

/** The step at this place is called `point`; its request goes through the proxy. */
function tenSteps(at: number): string {
  const steps = Array.from({ length: STEPS }, (_unused, index) =>
    index === at ? callStep('point', 'keyed', { connector: 'wp' }) : callStep(`s${index}`, 'keyed'),
  );
  return playbook(`ten-${at}`, steps);
}
