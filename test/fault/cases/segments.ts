import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SYSTEM } from '../../../infra/db/database';
import { waitUntil } from '../../../infra/embedded/process';
import { stopAt, type StopPlace } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';

const STEPS = [
  `{name: save, step_type: tool, action: save_to_workspace, inputs: {data: [{run: "{execution_id}", n: 1}, {run: "{execution_id}", n: 2}]}, params: {table_name: kept}}`,
  `{name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "note of {execution_id}"}}`,
  `{name: file, step_type: tool, action: route_output, inputs: {data: "{save}"}, params: {destinations: [{type: file_export, format: json, config: {filename_template: "{execution_id}"}}]}}`,
  `{name: last, step_type: tool, action: write_journal_entry, inputs: {summary: "last of {execution_id}"}}`,
];

interface Cut {
  name: string;
  place: StopPlace;
  /** What becomes of the statement of the killed worker: it is rolled back, or the server still carries it out. */
  rolledBack: boolean;
}

const CUTS: Cut[] = [
  { name: 'inside its second step', place: { table: 'journal_entries', when: `new.summary like 'note of %'` }, rolledBack: true },
  { name: 'inside its third step, the file not yet written', place: { table: 'run_events', when: `new.type = 'effect.sent'` }, rolledBack: true },
  { name: 'inside its third step, the file written', place: { table: 'documents', when: 'true' }, rolledBack: true },
  { name: 'between two steps, the next not begun', place: { table: 'step_attempts', when: `new.step_path = 'note'` }, rolledBack: true },
  { name: 'between two steps, the next begun', place: { table: 'step_attempts', when: `new.step_path = 'note'` }, rolledBack: false },
  { name: 'after its last step', place: { table: 'step_results', when: `new.step_path = 'last'` }, rolledBack: false },
];

/** Short steps in a row travel in one activity. What each did happens once, wherever the worker dies. */
export function segments(bench: () => FaultBench): void {
  describe('a segment whose worker is killed', () => {
    it.each(CUTS)('$name', async ({ place, rolledBack }) => {
      const { stack, calm } = bench();
      const slug = await stack.api.savePlaybook(playbook('segment', STEPS));
      const stop = await stopAt(stack.postgres.url, place);
      const runId = await stack.api.startRun(slug);
      await stop.reached();
      await stack.killWorkers();
      if (rolledBack) await stop.breakOff();
      await stop.release();
      await calm();
      await expectOnce(bench(), runId);
    });

    it('a late attempt, its worker frozen past the heartbeat time-out, takes what is recorded', async () => {
      const { stack, toTemporal } = bench();
      const slug = await stack.api.savePlaybook(playbook('segment', STEPS));
      const stop = await stopAt(stack.postgres.url, { table: 'run_events', when: `new.type = 'effect.sent'` });
      const runId = await stack.api.startRun(slug);
      await stop.reached();
      const frozen = stack.workers.find((worker) => worker.alive());
      frozen?.signal('SIGSTOP');
      await stop.release();
      toTemporal.cut();
      toTemporal.mend();
      await stack.startWorker();
      await stack.api.done(runId);
      frozen?.signal('SIGCONT');
      expect(await frozen?.stop()).toEqual({ code: 0, signal: null });
      await expectOnce(bench(), runId);
    });
  });
}

async function expectOnce({ stack }: FaultBench, runId: string): Promise<void> {
  const run = await stack.api.done(runId);
  expect(run).toMatchObject({ status: 'complete', steps_done: STEPS.length });
  const activities = await activityNames(stack, runId);
  expect(activities).toContain('segment');
  expect(await count(stack, `select 1 from ${await keptTable(stack)} where run = $1`, runId)).toBe(2);
  for (const what of ['note', 'last']) {
    expect(await count(stack, 'select 1 from journal_entries where summary = $1', `${what} of ${runId}`)).toBe(1);
  }
  expect(await count(stack, 'select 1 from documents where run_id = $1', runId)).toBe(1);
  const files = () => readdirSync(path.join(stack.home, 'exports')).filter((name) => !name.startsWith('.') && name.includes(runId));
  await waitUntil(() => files().length > 0, { what: 'the exported file', timeoutMs: 10_000 });
  expect(files()).toHaveLength(1);
  expect(await count(stack, 'select 1 from step_results where run_id = $1', runId)).toBe(STEPS.length);
  expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
}

type Stack = FaultBench['stack'];

async function count(stack: Stack, text: string, value: string): Promise<number> {
  return (await stack.database.query(SYSTEM, text, [value])).length;
}

async function keptTable(stack: Stack): Promise<string> {
  const [row] = await stack.database.query<{ name: string }>(
    SYSTEM,
    `select format('%I.%I', w.schema_name, t.sql_name) as name
       from workspace_tables t join workspaces w on w.id = t.workspace_id where t.name = 'kept'`,
  );
  return row?.name ?? 'no_such_table';
}

async function activityNames(stack: Stack, runId: string): Promise<string[]> {
  const history = await stack.client.workflow.getHandle(`run-${runId}`).fetchHistory();
  return (history.events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
}
