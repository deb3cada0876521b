import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { seeded, size } from '../../support/fault-size';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { OutageBench } from '../../support/outage-bench';
import type { ProductApi } from '../../support/product-api';

const IN_FLIGHT = size(20, 100);
const LONG = {
  runs: size(25, 500),
  restarts: size(4, 40),
  everyMs: [size(1_500, 5_000), size(3_000, 10_000)] as const,
};
const STEPS = 5;
/** The end of a hung test, not a measure. */
const LIMIT_MS = size(600_000, 3_600_000);

/** Every run has another number and must come to another result. */
const summing = playbook(
  'f05',
  [
    ...Array.from({ length: STEPS }, (_unused, at) => callStep(`s${at}`, 'keyed')),
    `{name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "{n}"}}`,
    `{name: sum, step_type: tool, action: transform_data, inputs: {data: [{n: "{n}"}]}, operations: [{type: compute, fields: [{as: out, expression: "{n} * 2"}]}]}`,
  ],
  'inputs: [{name: n, type: number, required: true}]\n',
);

async function expectResults(api: ProductApi, runs: readonly string[]): Promise<void> {
  for (const [n, runId] of runs.entries()) {
    expect(await api.done(runId)).toMatchObject({
      status: 'complete',
      outputs: { sum: { data: [{ n, out: n * 2 }] } },
    });
  }
}

/** Immediate stops: no connection is let go in peace, and what was not committed is gone. */
export function databaseRestarted(bench: () => OutageBench): void {
  describe('PostgreSQL stopped at once', () => {
    it(`F05a: with ${IN_FLIGHT} runs in flight`, async () => {
      const { stack, witness } = bench();
      const slug = await stack.api.savePlaybook(summing);
      witness.respond(() => ({ delayMs: 100 }));
      const runs = await Promise.all(
        Array.from({ length: IN_FLIGHT }, (_unused, n) => stack.api.startRun(slug, { n })),
      );
      await witness.arrived((seen) => runs.some((runId) => seen.key.startsWith(`${runId}/`)), IN_FLIGHT);
      await stack.postgres.restart('immediate');
      await expectResults(stack.api, runs);
      witness.respond(undefined);
      const effects = new Map(runs.map((runId) => [runId, STEPS]));
      expect(await checkLedger(stack, { witness, runs, effects })).toEqual([]);
    });

    it(
      `F05d: again and again during ${LONG.runs} runs`,
      async () => {
        const { stack, witness } = bench();
        const random = seeded('F05d');
        const slug = await stack.api.savePlaybook(summing);
        witness.respond(() => ({ delayMs: random.int(0, 300) }));
        const starts = Array.from({ length: LONG.runs }, async (_unused, n) => {
          await sleep(random.int(0, LONG.restarts * LONG.everyMs[0]));
          return stack.api.startRun(slug, { n });
        });
        for (let at = 0; at < LONG.restarts; at++) {
          await sleep(random.int(...LONG.everyMs));
          await stack.postgres.stop('immediate');
          await sleep(random.int(0, 2_000));
          await stack.postgres.start();
        }
        const runs = await Promise.all(starts);
        await expectResults(stack.api, runs);
        witness.respond(undefined);
        const effects = new Map(runs.map((runId) => [runId, STEPS]));
        expect(await checkLedger(stack, { witness, runs, effects })).toEqual([]);
      },
      LIMIT_MS,
    );
  });
}
