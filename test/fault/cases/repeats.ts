import { describe, expect, it } from '@jest/globals';
import { openAdmin } from '../../support/admin';
import { stopAt } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';

const STOP = { more: 'on_error: stop' };
const CHILD = playbook('repeats-child', [
  callStep('once', 'unsafe', STOP),
  callStep('flaky', 'keyed', STOP),
  callStep('last', 'keyed', STOP),
]);
const parent = (id: string, more: string): string =>
  playbook(id, [
    callStep('before', 'unsafe', STOP),
    `{name: s, action: run_playbook, playbook: repeats-child, on_error: stop${more}}`,
  ]);

/** A sub-playbook is tried again, by the run or by a person, and the worker dies as the next try comes into being. */
export function repeats(bench: () => FaultBench): void {
  describe('a sub-playbook that is repeated', () => {
    /** Kills the worker while it writes the row of the second try. */
    const killBetween = async (begin: () => Promise<string>): Promise<string> => {
      const { stack, calm } = bench();
      const stop = await stopAt(stack.postgres.url, {
        table: 'runs',
        when: 'new.retry_of is not null and new.parent_run_id is not null',
      });
      const runId = await begin();
      await stop.reached();
      await stack.killWorkers();
      await stop.breakOff();
      await stop.release();
      await calm();
      return runId;
    };
    const expectOnce = async (runs: string[], first: string): Promise<void> => {
      const { stack, witness } = bench();
      const admin = openAdmin(stack.postgres.url);
      const [child] = await admin.query<{ id: string }>(
        'select id from runs where parent_run_id = $1 order by created_at limit 1',
        [first],
      );
      await admin.close();
      const keys = (what: string): string[] =>
        witness.seen
          .filter(({ key }) => key.endsWith(`/${what}`) && key.startsWith(child?.id ?? '-'))
          .map(({ key }) => key);
      expect(keys('once')).toHaveLength(1);
      expect(new Set(keys('flaky')).size).toBe(1);
      expect(keys('last')).toHaveLength(1);
      const family = [first, child?.id ?? ''];
      const all = witness.seen.filter(({ body }) => family.some((id) => JSON.stringify(body).includes(id)));
      expect(new Set(all.map(({ key }) => key)).size).toBe(4);
      expect(
        await checkLedger(stack, { witness, runs, effects: new Map(family.map((id, at) => [id, at === 0 ? 1 : 3])) }),
      ).toEqual([]);
    };

    it('by the run itself: the worker dies between two tries', async () => {
      const { stack, witness } = bench();
      await stack.api.savePlaybook(CHILD);
      const slug = await stack.api.savePlaybook(parent('repeats-itself', ', retry_count: 2'));
      witness.respond(({ key }) => (key.endsWith('/flaky') ? { status: 500 } : undefined));
      const runId = await killBetween(() => stack.api.startRun(slug));
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      await expectOnce([runId], runId);
    });

    it('by a person: the worker dies as the retry begins the sub-playbook', async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      await api.savePlaybook(CHILD);
      const slug = await api.savePlaybook(parent('repeats-asked', ''));
      witness.respond(({ key }) => (key.endsWith('/flaky') ? { status: 500 } : undefined));
      const first = await api.startRun(slug);
      expect(await api.done(first)).toMatchObject({ status: 'failed' });
      const again = await killBetween(
        async () => (await api.must<{ runId: string }>('POST', `/runs/${first}/retry`, {})).runId,
      );
      expect(await api.done(again)).toMatchObject({ status: 'complete' });
      await expectOnce([first, again], first);
    });
  });
}
