import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { PostgresBlobs } from '../../../infra/blob/postgres-blobs';
import type { InProcess } from '../../support/in-process';
import { temporalCommand } from '../../support/temporal-command';
import { begin, eventually, expectStatus, gated, hold, plain, type Shape } from './shape';

/** Gates, and what people and operators do to a run. */
const gate = (more: string): string => `
  - {name: before, step_type: tool, action: echo, inputs: {v: 1}}
  - {name: ask, step_type: approval, prompt: "go with {before.v}"${more}}
  - {name: after, step_type: tool, action: echo, inputs: {v: 2}}`;

const NUDGED = `, timeout_minutes: 600, approvers: {users: ["${LOCAL_USER_ID}"]}, quorum: 2, remind_after_minutes: 0.005, escalate_after_minutes: 0.01, escalate_to: {users: [second]}`;

/** Takes what lies outside away; what it gives brings it back. */
async function hideContent(stack: InProcess): Promise<() => Promise<void>> {
  const blobs = new PostgresBlobs(stack.database);
  const found = await stack.admin.query<{ sha256: string }>('select sha256 from blobs where scope = $1', [
    LOCAL_USER_ID,
  ]);
  const kept = await Promise.all(found.map(({ sha256 }) => blobs.get(LOCAL_USER_ID, sha256)));
  await stack.admin.query('delete from blobs where scope = $1', [LOCAL_USER_ID]);
  return async () => {
    for (const bytes of kept) await blobs.put(LOCAL_USER_ID, bytes);
  };
}

async function timesAsked(stack: InProcess, runId: string): Promise<number> {
  return (await stack.events(runId)).filter(
    ({ payload }) => payload['code'] === 'blob_not_found' && payload['reason'] === 'attention',
  ).length;
}

const gates: Shape[] = [
  gated('approval-approved', gate(''), async (stack, runId) =>
    stack.decide(runId, await stack.approval(runId), 'approve', { instructions: 'fine' }),
  ),
  gated(
    'approval-edited',
    `
  - {name: ask, step_type: approval, prompt: go}
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "first"}}`,
    async (stack, runId) =>
      stack.decide(runId, await stack.approval(runId), 'approve', { edits: { summary: 'edited' } }),
  ),
  gated(
    'approval-behind',
    `
  - {name: read, step_type: tool, action: flaky, on_error: skip, inputs: {times: 9}}
  - {name: ask, step_type: approval, prompt: go}
  - {name: each, for_each: {items: [1], as: row, steps: [{name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "{row} {read.count}"}}]}}`,
    async (stack, runId) => stack.decide(runId, await stack.approval(runId), 'approve'),
    'partial',
  ),
  gated(
    'approval-either',
    `
  - {name: ask, step_type: approval, prompt: go, on_reject: skip}
  - {name: no, step_type: tool, action: write_journal_entry, condition: "{ask.decision} == 'rejected'", inputs: {summary: "no"}}
  - {name: yes, step_type: tool, action: write_journal_entry, condition: "{ask.decision} == 'approved'", inputs: {summary: "yes"}}`,
    async (stack, runId) => stack.decide(runId, await stack.approval(runId), 'approve'),
  ),
  plain(
    'approval-in-each',
    `
  - {name: rows, step_type: tool, action: transform_data, inputs: {data: [{a: 1}, {a: 2}]}, operations: [{type: limit, count: 2}]}
  - name: each
    for_each:
      items: "{rows.data}"
      as: row
      max_parallel: 1
      steps:
        - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "{row.a}"}}
        - {name: ask, step_type: approval, prompt: go, timeout_minutes: 0.01}`,
    { expect: 'timed_out' },
  ),
  gated(
    'approval-rejected-stop',
    gate(', on_reject: stop'),
    async (stack, runId) => stack.decide(runId, await stack.approval(runId), 'reject'),
    'rejected',
  ),
  gated('approval-rejected-skip', gate(', on_reject: skip'), async (stack, runId) =>
    stack.decide(runId, await stack.approval(runId), 'reject'),
  ),
  plain('approval-timeout-stop', gate(', timeout_minutes: 0.01, on_timeout: stop'), { expect: 'timed_out' }),
  plain('approval-timeout-skip', gate(', timeout_minutes: 0.01, on_timeout: skip')),
  gated('approval-in-time', gate(', timeout_minutes: 600'), async (stack, runId) =>
    stack.decide(runId, await stack.approval(runId), 'approve'),
  ),
  gated(
    'approval-refused-first',
    `
  - {name: ask, step_type: approval, prompt: go}
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "first"}}`,
    async (stack, runId) => {
      const approvalId = await stack.approval(runId);
      const refused = await stack.decide(runId, approvalId, 'approve', { edits: { no_such_input: 1 } });
      if (refused.state !== 'refused') throw new Error('edits that the action does not have must be refused');
      await stack.decide(runId, approvalId, 'approve');
    },
  ),
  gated('approval-by-signal', gate(''), async (stack, runId) => {
    const approvalId = await stack.approval(runId);
    const handle = stack.client.workflow.getHandle(`run-${runId}`);
    await handle.signal('approval', { approvalId: 'no-such-approval', decision: 'approve' });
    await handle.signal('approval', { approvalId, decision: 'approve', instructions: 'from the terminal' });
  }),
  {
    // Reminded, escalated, approved twice: only the second approval moves the run.
    name: 'approval-rules',
    record: async ({ stack }) => {
      const other = randomUUID();
      await stack.admin.query(`insert into users (id, handle, display_name) values ($1, 'second', 'Second')`, [other]);
      const runId = await begin(stack, 'approval-rules', gate(NUDGED));
      const approvalId = await stack.approval(runId);
      await eventually(async () => (await stack.events(runId)).some((event) => event.type === 'approval.escalated'));
      await stack.decide(runId, approvalId, 'approve');
      await stack.decide(runId, approvalId, 'approve', { by: other });
      expectStatus(await stack.done(runId), 'complete');
      return { 'approval-rules': runId };
    },
  },
  {
    name: 'approval-auto',
    record: async ({ stack }) => {
      const slug = await stack.save(`id: approval-auto\nname: Auto\nsteps:${gate('')}`);
      const runId = await stack.start(slug, { approval_policy: 'auto_approve' });
      expectStatus(await stack.done(runId), 'complete');
      return { 'approval-auto': runId };
    },
  },
];

const controls: Shape[] = [
  gated(
    'cancel-running',
    '  - {name: nap, step_type: tool, action: nap, inputs: {ms: 600000}}',
    async (stack, runId) => {
      await stack.until(runId, (row) => row.status === 'running');
      await hold(stack, runId, 'cancel');
    },
    'cancelled',
  ),
  gated(
    'cancel-waiting',
    gate(', timeout_minutes: 60'),
    async (stack, runId) => {
      await stack.approval(runId);
      await hold(stack, runId, 'cancel');
    },
    'cancelled',
  ),
  gated(
    'pause-resume',
    `
  - {name: nap, step_type: tool, action: nap, inputs: {ms: 1000}}
  - {name: end, step_type: tool, action: echo, inputs: {v: 1}}`,
    async (stack, runId) => {
      await stack.until(runId, (row) => row.status === 'running');
      await hold(stack, runId, 'pause');
      await stack.until(runId, (row) => row.status === 'paused');
      await eventually(async () => (await stack.events(runId)).some((event) => event.type === 'step.finished'));
      await hold(stack, runId, 'run');
    },
  ),
  gated(
    'source-wait-held',
    `
  - {name: call, step_type: tool, action: patient, inputs: {ms: 3000}}
  - {name: end, step_type: tool, action: echo, inputs: {pages: "{call.resumed.pages}"}}`,
    async (stack, runId) => {
      await stack.until(runId, (row) => row.waits.length > 0);
      // The row alone says it, so that the activity behind the wait finds the pause.
      await stack.runs.setControl(LOCAL_USER_ID, runId, 'pause');
      await stack.until(runId, (row) => row.status === 'paused');
      await hold(stack, runId, 'run');
    },
  ),
  // The second keeps what the person said for its report.
  ...['attention-done', 'attention-told'].map((name) =>
    gated(
      name,
      `
  - {name: odd, step_type: tool, action: unsure}
  - {name: end, step_type: tool, action: echo, inputs: {v: "{odd.resolved}"}}`,
      async (stack, runId) => {
        await stack.until(runId, (row) => row.status === 'needs_attention');
        await stack.gateway.resolveStep({ runId, stepPath: 'odd', outcome: 'done' });
      },
    ),
  ),
  gated(
    'lost-content',
    `
  - {name: make, step_type: tool, action: rows, inputs: {count: 20, width: 60000}}
  - {name: ask, step_type: approval, prompt: go}
  - {name: odd, step_type: tool, action: echo, condition: "{make.rows[0].n} == 7", inputs: {v: 1}}
  - name: each
    for_each: {items: "{make.rows}", as: it, steps: [{name: one, step_type: tool, action: echo, inputs: {v: "{it.n}"}}]}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{each.count}"}}`,
    async (stack, runId) => {
      const approvalId = await stack.approval(runId);
      const bringBack = await hideContent(stack);
      await stack.decide(runId, approvalId, 'approve');
      await stack.until(runId, (row) => row.status === 'needs_attention');
      await stack.gateway.resolveStep({ runId, stepPath: 'odd', outcome: 'repeat' });
      await eventually(async () => (await timesAsked(stack, runId)) === 2);
      await stack.until(runId, (row) => row.status === 'needs_attention');
      await bringBack();
      await stack.gateway.resolveStep({ runId, stepPath: 'odd', outcome: 'repeat' });
    },
  ),
  gated(
    'attention-not-done',
    '  - {name: odd, step_type: tool, action: unsure}',
    async (stack, runId) => {
      await stack.until(runId, (row) => row.status === 'needs_attention');
      await stack.gateway.resolveStep({ runId, stepPath: 'odd', outcome: 'not_done' });
    },
    'partial',
  ),
  gated('attention-misspelt', '  - {name: odd, step_type: tool, action: unsure}', async (stack, runId) => {
    await stack.until(runId, (row) => row.status === 'needs_attention');
    const handle = stack.client.workflow.getHandle(`run-${runId}`);
    await handle.signal('resolve');
    await handle.signal('resolve', { stepPath: 'odd', outcome: 'Done' });
    await handle.query('progress');
    await stack.gateway.resolveStep({ runId, stepPath: 'odd', outcome: 'done' });
  }),
  gated(
    'reset-behind-decision',
    `${gate('')}
  - {name: again, step_type: approval, prompt: "go on"}`,
    async (stack, runId) => {
      const first = await stack.approval(runId);
      await stack.decide(runId, first, 'approve', { instructions: 'yes' });
      await stack.until(runId, (row) => JSON.stringify(row.waits).includes('"again"'));
      const reset = ['reset', '--workflow-id', `run-${runId}`, '--type', 'FirstWorkflowTask', '--reason', 'by hand'];
      const { code, stderr } = await temporalCommand(stack.config.temporalAddress ?? '', ['workflow', ...reset]);
      if (code !== 0) throw new Error(stderr);
      const progress = () => stack.client.workflow.getHandle(`run-${runId}`).query<string>('progress');
      await eventually(async () => (await progress()).includes('`again`: waits'));
      await stack.decide(runId, await stack.approval(runId), 'approve');
    },
  ),
];

const inner = (stack: Parameters<typeof begin>[0], steps: string): Promise<string> =>
  stack.save(`id: inner\nname: Inner\ninputs: [{name: n, type: number, required: true}]\nsteps:\n${steps}`);
const CALL = `
  - {name: sub, action: run_playbook, playbook: inner, inputs: {n: 21}}
  - {name: end, step_type: tool, action: echo, inputs: {v: "{sub.result.status}"}}`;

const children: Shape[] = [
  {
    name: 'child',
    record: async ({ stack }) => {
      await inner(stack, '  - {name: twice, step_type: tool, action: echo, inputs: {n: "{n}"}}');
      const runId = await begin(stack, 'parent', CALL);
      expectStatus(await stack.done(runId), 'complete');
      const [child] = await stack.runs.children(LOCAL_USER_ID, runId);
      return { parent: runId, child: child?.id ?? '' };
    },
  },
  {
    name: 'child-failed',
    record: async ({ stack }) => {
      await inner(stack, '  - {name: bad, step_type: tool, action: flaky, on_error: stop, inputs: {times: "{n}"}}');
      const runId = await begin(stack, 'parent-failed', CALL);
      expectStatus(await stack.done(runId), 'partial');
      return { 'parent-failed': runId };
    },
  },
  {
    name: 'child-again',
    record: async ({ stack }) => {
      await inner(
        stack,
        '  - {name: done, step_type: tool, action: echo, inputs: {n: "{n}"}}\n  - {name: bad, step_type: tool, action: flaky, on_error: stop, inputs: {times: 1}}',
      );
      const again = CALL.replace('inputs: {n: 21}', 'inputs: {n: 21}, retry_count: 1');
      const runId = await begin(stack, 'parent-again', again);
      expectStatus(await stack.done(runId), 'complete');
      const [first, second] = (await stack.runs.children(LOCAL_USER_ID, runId)).toSorted((x, y) =>
        x.created_at < y.created_at ? -1 : 1,
      );
      return { 'parent-again': runId, 'child-before': first?.id ?? '', 'child-again': second?.id ?? '' };
    },
  },
  {
    name: 'child-final',
    record: async ({ stack }) => {
      await inner(
        stack,
        '  - {name: bad, step_type: tool, action: flaky, on_error: stop, inputs: {times: "{n}", retryable: false}}',
      );
      const runId = await begin(
        stack,
        'parent-final',
        CALL.replace('inputs: {n: 21}', 'inputs: {n: 21}, retry_count: 1'),
      );
      expectStatus(await stack.done(runId), 'partial');
      return { 'parent-final': runId };
    },
  },
  {
    name: 'child-failed-sealed',
    record: async ({ stack }) => {
      await inner(stack, '  - {name: bad, step_type: tool, action: flaky, on_error: stop, inputs: {times: "{n}"}}');
      const steps = `  - {name: weak, step_type: tool, action: fragile}\n${CALL}`;
      const runId = await begin(stack, 'parent-failed-sealed', steps);
      expectStatus(await stack.done(runId), 'partial');
      const [child] = await stack.runs.children(LOCAL_USER_ID, runId);
      return { 'parent-failed-sealed': runId, 'child-failed-sealed': child?.id ?? '' };
    },
  },
  {
    name: 'child-cancelled',
    record: async ({ stack }) => {
      await inner(stack, '  - {name: nap, step_type: tool, action: nap, inputs: {ms: 600000}}');
      const runId = await begin(stack, 'parent-cancelled', CALL);
      await eventually(async () => (await stack.runs.children(LOCAL_USER_ID, runId))[0]?.status === 'running');
      await hold(stack, runId, 'cancel');
      expectStatus(await stack.done(runId), 'cancelled');
      const [child] = await stack.runs.children(LOCAL_USER_ID, runId);
      return { 'parent-cancelled': runId, 'child-cancelled': child?.id ?? '' };
    },
  },
];

const values: Shape[] = [
  gated(
    'handles',
    `
  - {name: book, step_type: tool, action: pages, inputs: {length: 1200000}}
  - {name: seen, step_type: tool, action: echo, condition: "{book.text} contains 'xx'", inputs: {kind: "{book.kind}"}}
  - {name: ask, step_type: approval, prompt: go, preview_from: book.kind}
  - {name: again, step_type: tool, action: echo, inputs: {text: "{book.text}"}}
  - {name: most, step_type: tool, action: echo, inputs: {same: "{again.text}"}}`,
    async (stack, runId) => stack.decide(runId, await stack.approval(runId), 'approve'),
  ),
  plain('output', '  - {name: one, step_type: tool, action: echo, inputs: {v: 1}}', {
    head: `output:
  format: markdown
  title: Report
  sections: [{title: One, source: one}]
  save_to: document
  summary: "done {one.v}"`,
  }),
];

export const controlShapes: Shape[] = [...gates, ...controls, ...children, ...values];
