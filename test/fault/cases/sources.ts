import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { FaultBench } from '../../support/fault-bench';
import { size } from '../../support/fault-size';
import { callStep, playbook } from '../../support/fault-texts';

const RUNS = size(20, 100);
const AWAY_MS = size(15_000, 600_000);
/** Another worker hears of an open breaker so much later. */
const HEARD_MS = 1500;
/** The end of a hung test, not a measure. */
const LIMIT_MS = AWAY_MS + 900_000;

/** A source that fails for long is left alone, by everybody and for as long as it takes; others do not notice. */
export function failingSources(bench: () => FaultBench): void {
  it(
    `F15b: 5xx on all calls for ${AWAY_MS / 1000} s with ${RUNS} runs`,
    async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      await stack.startWorker();
      await stack.startWorker();
      witness.respond(({ headers }) => (headers.host === witness.address ? { status: 503 } : undefined));
      const stubborn = { more: 'retry_count: 5, on_error: skip' };
      const failing = await api.savePlaybook(playbook('failing', [callStep('call', 'idempotent', stubborn)]));
      const other = await api.savePlaybook(playbook('other', [callStep('call', 'idempotent', { connector: 'wp' })]));
      const runs: string[] = [];
      for (let at = 0; at < RUNS; at += 1) runs.push(await api.startRun(failing));
      const opened = async (): Promise<boolean> =>
        (await stack.admin.query('select 1 from connector_breakers where open_until is not null')).length > 0;
      while (!(await opened())) await sleep(100);
      const open = Date.now() + HEARD_MS;
      while (Date.now() < open + AWAY_MS) {
        expect(await api.done(await api.startRun(other))).toMatchObject({ status: 'complete' });
        await sleep(1000);
      }
      const calls = witness.seen.filter(({ headers, at }) => headers.host === witness.address && at >= open);
      const most = Math.max(
        0,
        ...calls.map(({ at }) => calls.filter((each) => each.at >= at && each.at < at + 1000).length),
      );
      expect(most).toBeLessThanOrEqual(1);
      witness.respond(undefined);
      // Some have used their tries up, some are still there when the source is back.
      for (const runId of runs) expect(['complete', 'partial']).toContain((await api.done(runId)).status);
    },
    LIMIT_MS,
  );
}
