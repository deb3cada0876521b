import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ActionTable } from '../../activities/actions/types';
import { PostgresBlobs } from '../../infra/blob/postgres-blobs';
import { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';

const OWNER = '00000000-0000-4000-8000-000000000001';

const LARGE = 'select sha256 from blobs where scope = $1 and size > 1000000';
const hidden: Buffer[] = [];

const actions: ActionTable = {
  make: (call) => {
    const rows = Array.from({ length: Number(call.inputs['count']) }, (_, n) => ({ n, pad: 'x'.repeat(500) }));
    return Promise.resolve({ output: { rows: [...rows, { n: -1, pad: 'the end' }] } });
  },
  hide: async () => {
    const blobs = new PostgresBlobs(stack.database);
    const found = await stack.admin.query<{ sha256: string }>(LARGE, [OWNER]);
    for (const { sha256 } of found) hidden.push(await blobs.get(OWNER, sha256));
    await stack.admin.query('delete from blobs where scope = $1 and size > 1000000', [OWNER]);
    return { output: {} };
  },
  echo: (call) => Promise.resolve({ output: { ...call.inputs } }),
  last: (call) => Promise.resolve({ output: { pad: (call.inputs['rows'] as { pad: string }[]).at(-1)?.pad ?? '' } }),
};

let stack: InProcess;
beforeAll(async () => {
  stack = await startInProcess({ actions });
});
afterAll(() => stack?.close());

describe('a value that lies outside of the workflow', () => {
  it('decides a condition by its end too', async () => {
    const runId = await stack.start(
      await stack.save(`
id: judged
name: Judged
steps:
  - {name: a, step_type: tool, action: make, inputs: {count: 5000}}
  - {name: yes, step_type: tool, action: echo, condition: "{a.rows[5000].pad} == 'the end'", inputs: {v: 1}}
  - {name: no, step_type: tool, action: echo, condition: "{a.rows[5001]} is defined", inputs: {v: 1}}
`),
    );
    const row = await stack.done(runId);
    expect([row.status, outputOf(row, 'yes'), outputOf(row, 'no')]).toEqual(['complete', { v: 1 }, undefined]);
  });

  it('is written once and read once, however many pure steps pass it on', async () => {
    const steps = Array.from({ length: 4 }, (_each, at) => {
      const data = at === 0 ? '["{a}"]' : `"{s${at}.data}"`;
      return `  - {name: s${at + 1}, step_type: tool, action: transform_data, inputs: {data: ${data}}, operations: [{type: compute, as: f${at + 1}, expression: "${at + 1}"}]}`;
    });
    const first = '  - {name: a, step_type: tool, action: make, inputs: {count: 5001}}';
    const slug = await stack.save(`id: passed-on\nname: Passed on\nsteps:\n${[first, ...steps].join('\n')}\n`);
    const traffic = { written: 0, read: 0 };
    const { put, get } = PostgresBlobs.prototype;
    PostgresBlobs.prototype.put = function counted(this: PostgresBlobs, scope, bytes) {
      traffic.written += bytes.length;
      return put.call(this, scope, bytes);
    };
    PostgresBlobs.prototype.get = async function counted(this: PostgresBlobs, scope, sha256) {
      const bytes = await get.call(this, scope, sha256);
      traffic.read += bytes.length;
      return bytes;
    };
    try {
      const runId = await stack.start(slug);
      expect((await stack.done(runId)).status).toBe('complete');
      const [document] = await stack.admin.query<{ size: string }>(
        `select max(size)::text as size from blobs where scope = $1`,
        [OWNER],
      );
      const size = Number(document?.size);
      expect(size).toBeGreaterThan(2_500_000);
      expect([traffic.written, traffic.read].map((bytes) => Math.floor(bytes / size))).toEqual([1, 1]);
    } finally {
      Object.assign(PostgresBlobs.prototype, { put, get });
    }
  });

  it('is shown to an approver by its first rows and their number', async () => {
    const runId = await stack.start(
      await stack.save(`
id: shown
name: Shown
steps:
  - {name: a, step_type: tool, action: make, inputs: {count: 5000}}
  - {name: ask, step_type: approval, prompt: Go, preview_from: a, preview_limit: 2}
`),
    );
    const approval = await stack.approvals.require(OWNER, await stack.approval(runId));
    expect(approval).toMatchObject({ preview_total: 5001 });
    await stack.decide(runId, approval.id, 'approve');
    expect((await stack.done(runId)).status).toBe('complete');
  });

  it('that is gone makes conditions, lists, texts and sub-playbooks wait, and a repeat reads them once it is back', async () => {
    await stack.save(`
id: reads-rows
name: Reads
inputs: [{name: rows, type: list, required: true}]
steps:
  - {name: at, step_type: tool, action: last, inputs: {rows: "{rows}"}}
`);
    const runId = await stack.start(
      await stack.save(`
id: lost
name: Lost
steps:
  - {name: a, step_type: tool, action: make, inputs: {count: 5000}}
  - {name: b, step_type: tool, action: hide}
  - name: all
    parallel_steps:
      - {name: c, step_type: tool, action: echo, condition: "{a.rows[0].n} == 0", inputs: {v: 1}}
      - {name: no, step_type: tool, action: echo, condition: "{a.rows[0].n} == 7", inputs: {v: 1}}
      - name: d
        for_each: {items: "{a.rows}", as: it, steps: [{name: w, step_type: tool, action: echo, condition: "{it.n} == -1", inputs: {n: "{it.n}"}}]}
      - {name: l, loop: {until: "{a.rows[0].n} == 0", max_iterations: 3, steps: [{name: turn, step_type: tool, action: echo}]}}
      - {name: r, route: {on: "{a.rows[0].n}", routes: {"0": [{name: zero, step_type: tool, action: echo, inputs: {v: 2}}]}}}
      - {name: sub, action: run_playbook, playbook: reads-rows, inputs: {rows: "{a.rows}"}}
  - {name: end, step_type: tool, action: echo, inputs: {no: "{no.status}", d: "{d.count}", l: "{l.iterations}"}}
`),
    );
    const waiting = ['c', 'd', 'l', 'no', 'r', 'sub'];
    const paths = (run: { waits: unknown[] }): unknown[] =>
      (run.waits as { step_path: string; code: string }[]).map(({ step_path: path, code }) => `${path} ${code}`);
    const all = waiting.map((path) => `all/${path} blob_not_found`);
    await stack.until(runId, (run) => run.status === 'needs_attention' && run.waits.length === all.length);
    expect(paths(await stack.runs.require(OWNER, runId))).toEqual(all);
    const run = stack.client.workflow.getHandle(`run-${runId}`);
    const sinceOf = (row: { waits: unknown[] }): unknown =>
      (row.waits as { step_path: string; since: string }[]).find((wait) => wait.step_path === 'all/l')?.since;
    const before = sinceOf(await stack.runs.require(OWNER, runId));
    // Content is still missing: the run waits again.
    await run.signal('resolve', { stepPath: 'all/l', outcome: 'repeat' });
    await stack.until(runId, (row) => row.waits.length === all.length && sinceOf(row) !== before);
    const blobs = new PostgresBlobs(stack.database);
    for (const bytes of hidden) await blobs.put(OWNER, bytes);
    for (const path of waiting) await run.signal('resolve', { stepPath: `all/${path}`, outcome: 'repeat' });
    const row = await stack.done(runId);
    expect([row.status, outputOf(row, 'end')]).toEqual(['complete', { no: 'skipped', d: 5001, l: 1 }]);
    expect([outputOf(row, 'c'), outputOf(row, 'zero')]).toEqual([{ v: 1 }, { v: 2 }]);
    expect(await stack.runs.children(OWNER, runId)).toHaveLength(1);
  });
});

it('that is gone makes the step that needs it wait, and a repeat goes on once it is back', async () => {
  const runId = await stack.start(
    await stack.save(`
id: healed
name: Healed
steps:
  - {name: a, step_type: tool, action: make, inputs: {count: 5000}}
  - {name: b, step_type: tool, action: hide}
  - {name: c, step_type: tool, action: last, inputs: {rows: "{a.rows}"}, on_error: skip}
`),
  );
  const waiting = await stack.until(runId, (run) => run.status === 'needs_attention');
  expect(JSON.stringify(waiting)).toContain('c');
  const why = await stack.admin.query<{ text: string }>(
    'select payload::text as text from run_events where run_id = $1',
    [runId],
  );
  expect(why.map(({ text }) => text).join()).toContain('blob_not_found');
  const run = stack.client.workflow.getHandle(`run-${runId}`);
  const blobs = new PostgresBlobs(stack.database);
  for (const bytes of hidden) await blobs.put(OWNER, bytes);
  await run.signal('resolve', { stepPath: 'c', outcome: 'repeat' });
  const row = await stack.done(runId);
  expect([row.status, outputOf(row, 'c')]).toEqual(['complete', { pad: 'the end' }]);
});

describe('a child that is not started yet', () => {
  it('is left to its parent while that is open, and ends with it', async () => {
    const slug = await stack.save('id: parent\nname: P\nsteps:\n  - {name: ask, step_type: approval, prompt: Go}\n');
    const parent = await stack.start(slug);
    const approvalId = await stack.approval(parent);
    const version = await stack.playbooks.resolve(OWNER, slug);
    const { run: row } = await stack.runs.create(OWNER, {
      id: randomUUID(),
      playbook_id: version.definition_id,
      playbook_version_id: version.id,
      playbook_slug: slug,
      playbook_name: 'P',
      inputs: {},
      run_context: 'interactive',
      approval_policy: 'require',
      clock: { now: new Date().toISOString(), today: '2026-01-01', time_zone: 'UTC' },
      connectors: {},
      parent: { run_id: parent, step_path: 'sub', root_run_id: parent, depth: 1 },
    });
    const store = new OpenRunsStore(stack.database);
    const ids = async (): Promise<boolean[]> => {
      const [pending, open] = [await store.pending(0, 100), await store.open(null, 100)];
      return [pending.some((run) => run.id === row.id), open.some((run) => run.id === row.id)];
    };
    expect(await ids()).toEqual([false, false]);
    await stack.decide(parent, approvalId, 'approve');
    await stack.done(parent);
    expect(await ids()).toEqual([false, false]);
  });
});
