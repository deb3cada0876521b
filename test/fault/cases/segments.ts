import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../infra/embedded/process';
import { stopAt, type DatabaseStop, type StopPlace } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';

const STEPS = 4;

/** Short steps in a row; the number tells the playbooks of the cuts apart. */
function steps(no: number): string[] {
  const save = `{data: [{run: "{execution_id}", n: 1}, {run: "{execution_id}", n: 2}]}`;
  const file = `{destinations: [{type: file_export, format: json, config: {filename_template: "{execution_id}"}}]}`;
  return [
    `{name: save${no}, step_type: tool, action: save_to_workspace, inputs: ${save}, params: {table_name: kept}}`,
    `{name: note${no}, step_type: tool, action: write_journal_entry, inputs: {summary: "note${no} {execution_id}"}}`,
    `{name: file${no}, step_type: tool, action: route_output, inputs: {data: "{save${no}}"}, params: ${file}}`,
    `{name: last${no}, step_type: tool, action: write_journal_entry, inputs: {summary: "last${no} {execution_id}"}}`,
  ];
}

interface Cut {
  name: string;
  place(no: number): StopPlace;
  /** Fate of the killed worker's statement: it is rolled back, or the server still carries it out. */
  rolledBack: boolean;
}

const nextBegins = (no: number) => ({ table: 'step_attempts', when: `new.step_path = 'note${no}'` });
const CUTS: Cut[] = [
  {
    name: 'inside its second step',
    place: (no) => ({ table: 'journal_entries', when: `new.summary like 'note${no} %'` }),
    rolledBack: true,
  },
  {
    name: 'inside its third step, the file not yet written',
    place: (no) => ({ table: 'run_events', when: `new.type = 'effect.sent' and new.step_path = 'file${no}'` }),
    rolledBack: true,
  },
  {
    name: 'inside its third step, the file written',
    place: (no) => ({ table: 'documents', when: `new.step_path = 'file${no}'` }),
    rolledBack: true,
  },
  { name: 'between two steps, the next not begun', place: nextBegins, rolledBack: true },
  { name: 'between two steps, the next begun', place: nextBegins, rolledBack: false },
  {
    name: 'after its last step',
    place: (no) => ({ table: 'step_results', when: `new.step_path = 'last${no}'` }),
    rolledBack: false,
  },
];

/** Short steps in a row travel in one activity. What each did happens once, wherever the worker dies. */
export function segments(bench: () => FaultBench): void {
  describe('a segment whose worker is killed', () => {
    const runs: string[] = [];
    // One kill for all places: every run stops at its own.
    beforeAll(async () => {
      const { stack, calm } = bench();
      const stops: DatabaseStop[] = [];
      for (const [no, { place }] of CUTS.entries()) stops.push(await stopAt(stack.postgres.url, place(no)));
      for (const no of CUTS.keys()) {
        runs.push(await stack.api.startRun(await stack.api.savePlaybook(playbook(`segment-${no}`, steps(no)))));
      }
      await Promise.all(stops.map((stop) => stop.reached()));
      await stack.killWorkers();
      for (const [no, stop] of stops.entries()) {
        if (CUTS[no]?.rolledBack === true) await stop.breakOff();
        await stop.release();
      }
      await calm();
    });

    it.each(CUTS.map(({ name }, no) => ({ name, no })))('$name', ({ no }) => expectOnce(bench(), runs[no] ?? '', no));

    it('a late attempt, its worker frozen past the heartbeat time-out, takes what is recorded', async () => {
      const { stack, toTemporal } = bench();
      const no = CUTS.length;
      const slug = await stack.api.savePlaybook(playbook('segment-late', steps(no)));
      const place = { table: 'run_events', when: `new.type = 'effect.sent' and new.step_path = 'file${no}'` };
      const stop = await stopAt(stack.postgres.url, place);
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
      await expectOnce(bench(), runId, no);
    });
  });
}

async function expectOnce({ stack }: FaultBench, runId: string, no: number): Promise<void> {
  expect(await stack.api.done(runId)).toMatchObject({ status: 'complete', steps_done: STEPS });
  expect(await activityNames(stack, runId)).toContain('segment');
  expect(await count(stack, `select 1 from ${await keptTable(stack)} where run = $1`, runId)).toBe(2);
  for (const what of ['note', 'last']) {
    const summary = `${what}${no} ${runId}`;
    expect(await count(stack, 'select 1 from journal_entries where summary = $1', summary)).toBe(1);
  }
  expect(await count(stack, 'select 1 from documents where run_id = $1', runId)).toBe(1);
  const files = () =>
    readdirSync(path.join(stack.home, 'exports')).filter((name) => !name.startsWith('.') && name.includes(runId));
  await waitUntil(() => files().length > 0, { what: 'the exported file', timeoutMs: 10_000 });
  // The data, and beside it what is to be said of it.
  const beside = files().map((name) => name.includes('.meta'));
  expect([beside.length, beside.filter(Boolean).length]).toEqual([2, 1]);
  expect(await count(stack, 'select 1 from step_results where run_id = $1', runId)).toBe(STEPS);
  expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
}

type Stack = FaultBench['stack'];

async function count(stack: Stack, text: string, value: string): Promise<number> {
  return (await stack.admin.query(text, [value])).length;
}

async function keptTable(stack: Stack): Promise<string> {
  const [row] = await stack.admin.query<{ name: string }>(`select format('%I.%I', w.schema_name, t.sql_name) as name
       from workspace_tables t join workspaces w on w.id = t.workspace_id where t.name = 'kept'`);
  return row?.name ?? 'no_such_table';
}

async function activityNames(stack: Stack, runId: string): Promise<string[]> {
  const history = await stack.client.workflow.getHandle(`run-${runId}`).fetchHistory();
  return (history.events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  );
}
