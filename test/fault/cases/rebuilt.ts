import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporal } from '@temporalio/proto';
import { projectFolder } from '../../../infra/embedded/home';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';

const ROOT = projectFolder();
const WORKFLOWS = 'workflow-bundle.js';

interface Change {
  file: string;
  from: string | RegExp;
  to: string;
}

function change(folder: string, { file, from, to }: Change): void {
  const source = readFileSync(path.join(folder, file), 'utf8');
  const changed = source.replace(from, to);
  if (changed === source) throw new Error(`${file} has changed: this test no longer changes anything in it`);
  writeFileSync(path.join(folder, file), changed);
}

/** Another build beside ours, with changes in its compiled files: what its workers load is all that tells builds apart. */
function rebuild(name: string, changes: readonly Change[]): string {
  const build = path.join(ROOT, `dist.${name}-${process.pid}`);
  cpSync(path.join(ROOT, 'dist'), build, { recursive: true });
  for (const each of changes) change(build, each);
  return build;
}

/** New code meets runs that wait. */
export function rebuilt(bench: () => FaultBench): void {
  const builds: string[] = [];
  afterAll(() => builds.forEach((build) => rmSync(build, { recursive: true, force: true })));

  async function switchTo(name: string, ...changes: Change[]): Promise<void> {
    const build = rebuild(name, changes);
    builds.push(build);
    await bench().stack.killWorkers();
    await bench().stack.startWorker({
      script: path.relative(path.join(ROOT, 'dist'), path.join(build, 'worker/main.js')),
    });
  }

  async function waiting(id: string, steps: readonly string[]): Promise<{ runId: string; approvalId: string }> {
    const { api } = bench().stack;
    const runId = await api.startRun(await api.savePlaybook(playbook(id, steps)));
    return { runId, approvalId: await api.approval(runId) };
  }

  async function failedTasks(runId: string): Promise<number> {
    const { events } = await bench().stack.client.workflow.getHandle(`run-${runId}`).fetchHistory();
    const failed = temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED;
    return (events ?? []).filter((event) => event.eventType === failed).length;
  }

  async function expectLedger(runId: string, effects: number): Promise<void> {
    const { stack, witness } = bench();
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, effects]]) })).toEqual([]);
  }

  describe('a rebuild with a run waiting', () => {
    it('F08a: compatible code carries it on', async () => {
      const { api } = bench().stack;
      const { runId, approvalId } = await waiting('f08a', [
        callStep('first', 'keyed'),
        GATE,
        callStep('second', 'keyed'),
      ]);
      await switchTo('compatible', { file: WORKFLOWS, from: /steps done/g, to: 'steps carried out' });
      expect([200, 202]).toContain((await api.decide(approvalId, 'approve')).status);
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      expect(await failedTasks(runId)).toBe(0);
      await expectLedger(runId, 2);
    });

    it('F08b: incompatible code parks it, and the right code carries it on', async () => {
      const { stack } = bench();
      const branches = `{name: both, action: parallel, parallel_steps: [${callStep('a', 'keyed')}, ${callStep('b', 'keyed')}, ${GATE}]}`;
      const { runId, approvalId } = await waiting('f08b', [branches, callStep('last', 'keyed')]);
      const swapped = 'this.pending.push(...result.commands.reverse());';
      await switchTo('swapped', { file: WORKFLOWS, from: 'this.pending.push(...result.commands);', to: swapped });
      expect((await stack.api.decide(approvalId, 'approve')).status).toBe(202);
      const code = 'workflow_task_failing';
      const parked = await stack.api.until(runId, ({ status }) => status === 'needs_attention', 'attention');
      expect(parked).toMatchObject({ code, message: expect.stringMatching(/nondeterminism/i) });
      await stack.killWorkers();
      await stack.startWorker();
      expect(await stack.api.done(runId)).toMatchObject({
        status: 'complete',
        outputs: { gate: { decision: 'approved' } },
      });
      await expectLedger(runId, 3);
    });

    it('F08d: a build without the action that it needs next parks it', async () => {
      const { stack } = bench();
      const note = '{name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "kept"}}';
      const { runId, approvalId } = await waiting('f08d', [callStep('first', 'keyed'), GATE, note]);
      await switchTo(
        'without',
        {
          file: 'activities/index.js',
          from: 'names.map(',
          to: `names.filter((name) => name !== 'write_journal_entry').map(`,
        },
        { file: 'activities/actions/journal.actions.js', from: 'write_journal_entry: writeEntry(deps),', to: '' },
      );
      expect([200, 202]).toContain((await stack.api.decide(approvalId, 'approve')).status);
      const parked = await stack.api.until(runId, ({ status }) => status === 'needs_attention', 'attention');
      expect(parked).toMatchObject({ code: 'not_available', waits: [{ kind: 'attention', step_path: 'note' }] });
      expect(await failedTasks(runId)).toBe(0);
      await stack.killWorkers();
      await stack.startWorker();
      expect((await stack.api.resolve(runId, 'note', 'repeat')).status).toBeLessThan(300);
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      await expectLedger(runId, 1);
    });
  });
}
