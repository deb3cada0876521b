import { expect, it } from '@jest/globals';
import type { FaultBench } from '../../support/fault-bench';
import { seeded, size } from '../../support/fault-size';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { historyChain } from '../../support/histories';
import { checkLedger } from '../../support/ledger';

const ITEMS = size(2_000, 20_000);
const SIGNALS = size(1_500, 10_000);
const AT_ONCE = 20;
const MOST_EVENTS = 10_240;
const LIMIT_MS = size(240_000, 3_600_000);

const EACH = `id: many-items
name: many-items
inputs: [{name: items, type: list, required: true}]
steps:
  - name: each
    for_each:
      items: "{items}"
      as: item
      max_parallel: 50
      steps:
        - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "{execution_id} {item}"}}
`;

/** However long a run gets, no history grows beyond what the server takes. */
export function longRuns(bench: () => FaultBench): void {
  it(`F13a: for_each over ${ITEMS} items`, async () => {
    const { stack } = bench();
    const { api } = stack;
    const slug = await api.savePlaybook(EACH);
    const runId = await api.startRun(slug, { items: Array.from({ length: ITEMS }, (_unused, at) => at) });
    const run = await api.done(runId, LIMIT_MS);
    expect(run).toMatchObject({ status: 'complete' });
    const notes = await stack.admin.query<{ all: number; distinct: number }>(
      `select count(*) as all, count(distinct summary) as distinct from journal_entries where kind = 'note' and run_id = $1`,
      [runId],
    );
    expect(notes).toEqual([{ all: ITEMS, distinct: ITEMS }]);
    const chain = await historyChain(stack, runId);
    expect(Math.max(...chain.map((link) => link.events))).toBeLessThanOrEqual(MOST_EVENTS);
    expect(chain.flatMap((link) => link.failedTasks)).toEqual([]);
    expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
  });

  it(`F13b: ${SIGNALS} signals to a waiting run, which then still answers its approval`, async () => {
    const { stack, witness } = bench();
    const { api } = stack;
    const random = seeded('F13b');
    const slug = await api.savePlaybook(playbook('signalled', [GATE, callStep('then', 'keyed')]));
    const runId = await api.startRun(slug);
    const approvalId = await api.approval(runId);
    const handle = stack.client.workflow.getHandle(`run-${runId}`);
    const messages: (() => Promise<void>)[] = [
      () => handle.signal('approval', { approvalId: 'no-such-approval', decision: 'approve' }),
      () => handle.signal('approval', { approvalId, decision: 'perhaps' }),
      () => handle.signal('resolve', { stepPath: 'no-such-step', outcome: 'done' }),
      () => handle.signal('resume'),
    ];
    for (let sent = 0; sent < SIGNALS; sent += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => random.pick(messages)()));
    }
    const decided = await api.decide(approvalId, 'approve');
    expect([200, 202]).toContain(decided.status);
    expect(await api.done(runId, LIMIT_MS)).toMatchObject({ status: 'complete' });
    const chain = await historyChain(stack, runId);
    expect(chain.reduce((sum, link) => sum + link.signals, 0)).toBe(SIGNALS);
    expect(Math.max(...chain.map((link) => link.events))).toBeLessThanOrEqual(MOST_EVENTS);
    expect(chain.flatMap((link) => link.failedTasks)).toEqual([]);
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 1]]) })).toEqual([]);
  });
}
