import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsStore } from '../../infra/db/stores/events.store';
import { JournalStore } from '../../infra/db/stores/journal.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { TransitionsStore, type RunEnd } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let runs: RunsStore;
let transitions: TransitionsStore;
let journal: JournalStore;

beforeAll(async () => {
  db = await testDatabase();
  runs = new RunsStore(db.database);
  transitions = new TransitionsStore(db.database);
  journal = new JournalStore(db.database);
});
afterAll(() => db.close());

const typesOf = async (runId: string) =>
  (await new EventsStore(db.database).listAfter(runId, OWNER, 0, 100)).map((event) => `${event.seq} ${event.type}`);
const end = (more: Partial<RunEnd> = {}): RunEnd => ({
  status: 'complete',
  events: [
    { id: 's', type: 'run.status', payload: {} },
    { id: 'c', type: 'complete', payload: {} },
  ],
  patch: { no: 9, status: 'complete', waits: [], steps_done: 3, steps_total: 3 },
  result: { report: { value: 'x\u0000' } },
  summary: 'Nul \u0000 in it',
  routing_report: [{ destination: 'document', status: 'ok' }],
  journal: {
    summary: 'done',
    entities_mentioned: ['ACME "Inc"', 'B\\C', 'nul\u0000'],
    detail_entries: [{ a: '\u0000' }],
    entities_discovered: 2,
  },
  ...more,
});

describe('the end of a run', () => {
  it('writes status, result, events and journal together', async () => {
    const runId = await seedRun(db.database, { run_context: 'background' });
    expect(await transitions.finish(runId, end())).toEqual({ status: 'complete', closed: true, seq: 2 });
    expect(await runs.get(OWNER, runId)).toMatchObject({
      status: 'complete',
      result: { report: { value: 'x\u0000' } },
      summary: 'Nul \ufffd in it',
      routing_report: [{ destination: 'document', status: 'ok' }],
      steps_done: 3,
      steps_total: 3,
      waits: [],
    });
    expect((await runs.get(OWNER, runId))?.finished_at).not.toBeNull();
    expect((await journal.query(OWNER, { runId })).items).toMatchObject([
      {
        kind: 'run',
        summary: 'done',
        task_status: 'complete',
        steps_completed: 3,
        entities_discovered: 2,
        run_context: 'background',
        entities_mentioned: ['ACME "Inc"', 'B\\C', 'nul\ufffd'],
        detail_entries: [{ a: '\u0000' }],
        playbook_name: 'A playbook',
      },
    ]);
  });

  it('happens once: 10 different ends at once, the first stays', async () => {
    const runId = await seedRun(db.database);
    const statuses = ['complete', 'failed', 'cancelled', 'partial', 'timed_out'] as const;
    const answers = await Promise.all(
      [...statuses, ...statuses].map((status) => transitions.finish(runId, end({ status }))),
    );
    const closed = answers.filter((answer) => answer.closed);
    expect(closed).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([closed[0]?.status]));
    expect((await journal.query(OWNER, { runId })).items).toHaveLength(1);
    expect(await typesOf(runId)).toEqual(['1 run.status', '2 complete']);
  });

  it('cancels waiting approvals before the last event', async () => {
    const runId = await seedRun(db.database);
    const approval = {
      id: '00000000-0000-4000-8000-0000000000aa',
      step_path: 'gate',
      step_name: 'gate',
      status: 'waiting' as const,
      prompt: 'p',
      preview: null,
      preview_total: null,
      action: null,
      digest: 'd',
      on_reject: 'stop',
      on_timeout: 'stop',
      due_at: null,
    };
    await transitions.apply(runId, { approvals: [approval] });
    await transitions.finish(runId, end());
    expect(await typesOf(runId)).toEqual(['1 approval.decided', '2 run.status', '3 complete']);
  });

  it('nothing follows it', async () => {
    const runId = await seedRun(db.database);
    await transitions.finish(runId, end());
    const late = await transitions.apply(runId, {
      events: [{ id: 'late', type: 'step.started', payload: {} }],
      patch: { no: 99, status: 'running', waits: [], steps_done: 0, steps_total: 0 },
    });
    expect(late).toMatchObject({ applied: false, control: 'cancel', status: 'complete' });
    expect(await transitions.flag(runId, 'needs_attention', { code: 'x', message: 'y' })).toBe(false);
    expect(await typesOf(runId)).toEqual(['1 run.status', '2 complete']);
    expect((await runs.get(OWNER, runId))?.status).toBe('complete');
  });

  it('an unknown run is refused', async () => {
    const unknown = '00000000-0000-4000-8000-00000000dead';
    await expect(transitions.finish(unknown, end())).rejects.toMatchObject({ code: 'run_not_found' });
    await expect(transitions.apply(unknown, {})).rejects.toMatchObject({ code: 'run_not_found' });
  });
});

describe('from outside', () => {
  it('closes a run whose workflow is gone, with events and journal', async () => {
    const runId = await seedRun(db.database);
    const run = { id: runId, playbook_name: 'A playbook' };
    await transitions.closeFromOutside(run, 'failed', 'workflow_terminated', 'Terminated by an operator.');
    await transitions.closeFromOutside(run, 'failed', 'workflow_terminated', 'Terminated by an operator.');
    expect(await runs.get(OWNER, runId)).toMatchObject({ status: 'failed', status_code: 'workflow_terminated' });
    expect(await typesOf(runId)).toEqual(['1 run.status', '2 complete']);
    expect((await journal.query(OWNER, { runId })).items).toMatchObject([{ task_status: 'failed' }]);
  });

  it('covers the status of a stuck run, and puts it back', async () => {
    const runId = await seedRun(db.database);
    const patch = {
      no: 1,
      status: 'waiting_approval' as const,
      code: 'c',
      message: 'm',
      waits: [{ kind: 'approval' }],
      steps_done: 0,
      steps_total: 1,
    };
    await transitions.apply(runId, { patch });
    expect(await transitions.flag(runId, 'needs_attention', { code: 'workflow_task_failing', message: 'boom' })).toBe(
      true,
    );
    expect(await transitions.flag(runId, 'needs_attention', { code: 'workflow_task_failing', message: 'boom' })).toBe(
      false,
    );
    expect(await runs.get(OWNER, runId)).toMatchObject({
      status: 'needs_attention',
      status_code: 'workflow_task_failing',
      waits: [{ kind: 'approval' }, { kind: 'attention', code: 'workflow_task_failing', message: 'boom', until: null }],
    });
    expect(await transitions.unflag(runId)).toBe(true);
    expect(await transitions.unflag(runId)).toBe(false);
    expect(await runs.get(OWNER, runId)).toMatchObject({
      status: 'waiting_approval',
      status_code: 'c',
      status_message: 'm',
      waits: [{ kind: 'approval' }],
    });
  });

  it('the engine itself takes the cover away', async () => {
    const runId = await seedRun(db.database);
    await transitions.flag(runId, 'needs_attention', { code: 'workflow_task_failing', message: 'boom' });
    await transitions.apply(runId, { patch: { no: 1, status: 'running', waits: [], steps_done: 0, steps_total: 1 } });
    expect(await runs.get(OWNER, runId)).toMatchObject({ status: 'running', status_code: null });
    expect(await transitions.unflag(runId)).toBe(false);
  });
});
