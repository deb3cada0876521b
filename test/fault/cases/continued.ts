import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../infra/embedded/process';
import type { FaultBench } from '../../support/fault-bench';
import { seeded, size } from '../../support/fault-size';
import { callStep, GATE } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import type { Stack } from '../../support/stack';

const RUNS = size(6, 30);
const TURNS = size(25, 60);
/** Long enough for some turns of the loop; where exactly a message falls is the seed's and the machine's. */
const WITHIN_MS = size(2_500, 8_000);

/** A loop of activities beside `beside`, so that the run continues as new several times. */
const looping = (id: string, beside: string): string => `id: ${id}
name: ${id}
steps:
  - name: both
    action: parallel
    parallel_steps:
      - ${beside}
      - name: turns
        loop:
          until: "{turn.status} == 'failed'"
          max_iterations: ${TURNS}
          steps: [{name: turn, step_type: tool, action: write_journal_entry, inputs: {summary: "{execution_id}"}}]
  - ${callStep('last', 'keyed')}
`;

/** The server suggests to continue as new every 40 events: messages, timers and children meet it all the time. */
export function continued(bench: () => FaultBench): void {
  describe('continue-as-new', () => {
    it(`a decision across it, ${RUNS} times`, async () => {
      const { stack, witness } = bench();
      const random = seeded('decisions across continue-as-new');
      const slug = await stack.api.savePlaybook(looping('can-decide', GATE));
      const runs = await Promise.all(Array.from({ length: RUNS }, () => stack.api.startRun(slug)));
      const approvals = await Promise.all(runs.map((runId) => approvalOf(stack, runId)));
      const answers = await Promise.all(
        approvals.map(async (id) => (await sleep(random.int(0, WITHIN_MS)), stack.api.decide(id, 'approve'))),
      );
      expect(answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
      for (const [at, runId] of runs.entries()) {
        expect(await stack.api.done(runId)).toMatchObject({
          status: 'complete',
          outputs: { gate: { decision: 'approved' }, turns: { iterations: TURNS } },
        });
        expect(await countedOf(stack, approvals[at] ?? '')).toBe(1);
        expect(await partsOf(stack, runId)).toBeGreaterThan(2);
      }
      expect(await checkLedger(stack, { witness, runs, effects: new Map(runs.map((runId) => [runId, 1])) })).toEqual(
        [],
      );
    });

    it(`a cancel across it, ${RUNS} times`, async () => {
      const { stack, witness } = bench();
      const random = seeded('cancels across continue-as-new');
      const slug = await stack.api.savePlaybook(looping('can-cancel', GATE));
      const runs = await Promise.all(Array.from({ length: RUNS }, () => stack.api.startRun(slug)));
      await Promise.all(runs.map((runId) => approvalOf(stack, runId)));
      const answers = await Promise.all(
        runs.map(async (runId) => (await sleep(random.int(0, WITHIN_MS)), stack.api.command(runId, 'cancel'))),
      );
      expect(answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
      for (const runId of runs) expect(await stack.api.done(runId)).toMatchObject({ status: 'cancelled' });
      expect(await checkLedger(stack, { witness, runs, effects: new Map(runs.map((runId) => [runId, 0])) })).toEqual(
        [],
      );
    });

    it('a waiting child postpones it', async () => {
      const { stack, witness } = bench();
      const { api } = stack;
      await api.savePlaybook(
        `id: can-child\nname: can-child\nsteps:\n  - ${GATE}\n  - ${callStep('inner', 'keyed')}\n`,
      );
      const slug = await api.savePlaybook(
        looping('can-parent', '{name: sub, action: run_playbook, playbook: can-child}'),
      );
      const runId = await api.startRun(slug);
      await waitUntil(async () => (await turnsOf(stack, runId)) === TURNS, {
        what: 'all turns of the loop',
        timeoutMs: 120_000,
      });
      // Far more events than the server wants, and still its first history: a continued parent would kill the child.
      expect(await partsOf(stack, runId)).toBe(1);
      const [child] = await stack.admin.query<{ id: string }>('select id from runs where parent_run_id = $1', [runId]);
      const childId = child?.id ?? '';
      expect((await api.decide(await api.approval(childId), 'approve')).status).toBe(200);
      expect(await api.done(runId)).toMatchObject({ status: 'complete', outputs: { sub: { status: 'complete' } } });
      expect(
        await checkLedger(stack, {
          witness,
          runs: [runId],
          effects: new Map([
            [runId, 1],
            [childId, 1],
          ]),
        }),
      ).toEqual([]);
    });
  });
}

/** Finds the approval by itself: the run's status is `running` while the loop turns. */
async function approvalOf(stack: Stack, runId: string): Promise<string> {
  let id = '';
  const look = async (): Promise<boolean> => {
    const page = await stack.api.must<{ items: { approvalId: string }[] }>(
      'GET',
      `/approvals?run=${runId}&status=waiting`,
    );
    id = page.items[0]?.approvalId ?? '';
    return id !== '';
  };
  await waitUntil(look, { what: 'the approval', timeoutMs: 60_000 });
  return id;
}

async function countedOf(stack: Stack, approvalId: string): Promise<number> {
  const sql = `select 1 from approval_decisions where approval_id = $1 and state = 'counted'`;
  return (await stack.admin.query(sql, [approvalId])).length;
}

async function turnsOf(stack: Stack, runId: string): Promise<number> {
  const sql = `select 1 from step_results where run_id = $1 and step_path like '%/turn'`;
  return (await stack.admin.query(sql, [runId])).length;
}

/** Histories of a run: one more for each time it continued as new. */
async function partsOf(stack: Stack, runId: string): Promise<number> {
  for (let parts = 1, execution: string | undefined; ; parts++) {
    const history = await stack.client.workflow.getHandle(`run-${runId}`, execution).fetchHistory();
    execution = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
    if (execution === '') return parts;
  }
}
