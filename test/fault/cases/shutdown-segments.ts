import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopAt } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { seeded, size } from '../../support/fault-size';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';

const STOPS = size(3, 40);
const RUNS = 8;
const NOTES = 12;
const note = (no: number) =>
  `{name: n${no}, step_type: tool, action: write_journal_entry, inputs: {summary: "n${no} {execution_id}"}}`;
/** Attempts that were begun again though no worker had let go of them. */
const LOST = 'select run_id, step_path from step_attempts where run_id = any($1) and starts - released > 1';
const ENDED_WELL = { code: 0, signal: null };

/** A worker that is told to stop while segments run. The grace time of the stack is five seconds. */
export function shutdownInSegments(bench: () => FaultBench): void {
  describe('SIGTERM to a worker in the middle of segments', () => {
    it('at many moments: it ends with 0, every step is done once, and no attempt counts as a loss', async () => {
      const { stack, witness } = bench();
      const random = seeded('shutdown-segments');
      const notes = Array.from({ length: NOTES }, (_unused, no) => note(no));
      const slug = await stack.api.savePlaybook(
        playbook('stopped', [...notes, callStep('call', 'keyed'), note(NOTES)]),
      );
      const runs: string[] = [];
      for (let no = 0; no < STOPS; no++) {
        const started = await Promise.all(Array.from({ length: RUNS }, () => stack.api.startRun(slug)));
        runs.push(...started);
        await sleep(random.int(0, 400));
        const leaving = stack.workers.filter((worker) => worker.alive());
        const ends = Promise.all(leaving.map((worker) => worker.stop()));
        await stack.startWorker();
        expect(await ends).toEqual(leaving.map(() => ENDED_WELL));
      }
      for (const id of runs) expect(await stack.api.done(id)).toMatchObject({ status: 'complete' });
      expect(await stack.admin.query(LOST, [runs])).toEqual([]);
      expect(await checkLedger(stack, { witness, runs, effects: new Map(runs.map((id) => [id, 1])) })).toEqual([]);
    });

    it('statements that the database does not answer, of a segment and of a run that ends: it ends with 0', async () => {
      const { stack } = bench();
      const inSegment = await stopAt(stack.postgres.url, { table: 'journal_entries', when: `new.summary like 'n1 %'` });
      const steps = [note(0), note(1), note(2)];
      const held = await stack.api.startRun(await stack.api.savePlaybook(playbook('held-segment', steps)));
      await inSegment.reached();
      // Part of no activity of its own: a workflow task waits for it.
      const atEnd = await stopAt(stack.postgres.url, { table: 'run_events', when: `new.type = 'complete'` });
      const ending = await stack.api.startRun(await stack.api.savePlaybook(playbook('held-end', [note(0)])));
      await atEnd.reached();
      const leaving = stack.workers.filter((worker) => worker.alive());
      const ends = await Promise.all(leaving.map((worker) => worker.stop()));
      expect(ends).toEqual(leaving.map(() => ENDED_WELL));
      await Promise.all([inSegment.release(), atEnd.release()]);
      await stack.startWorker();
      for (const id of [held, ending]) expect(await stack.api.done(id)).toMatchObject({ status: 'complete' });
      const written = await stack.admin.query('select 1 from journal_entries where summary = $1', [`n1 ${held}`]);
      expect(written).toHaveLength(1);
      expect(await checkLedger(stack, { runs: [held, ending] })).toEqual([]);
    });
  });
}
