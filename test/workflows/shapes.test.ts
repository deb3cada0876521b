import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionTable } from '../../activities/actions/types';
import { AppError } from '../../core/errors/app-error';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';

/** Calls seen by the test's own actions, by effect key. */
const calls: string[] = [];
const failing = new Map<string, number>();

const actions: ActionTable = {
  echo: async (call, context) => {
    calls.push(context.effectKey);
    return { output: { ...call.inputs } };
  },
  flaky: async (call, context) => {
    const seen = (failing.get(context.effectKey) ?? 0) + 1;
    failing.set(context.effectKey, seen);
    if (seen <= Number(call.inputs['times'])) {
      throw new AppError('upstream_unavailable', `try ${seen} failed`, {
        category: 'upstream',
        retryable: call.inputs['retryable'] !== false,
      });
    }
    return { output: { tries: seen } };
  },
  nap: async (call, context) => {
    await new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, Number(call.inputs['ms']));
      context.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new Error('aborted'));
      });
    });
    return { output: { slept: true } };
  },
};

let stack: InProcess;
beforeAll(async () => {
  stack = await startInProcess({ actions });
});
afterAll(() => stack?.close());

/** The step in flight ends by itself; nothing new begins. */
async function eventually(test: () => Promise<boolean>): Promise<void> {
  while (!(await test())) await sleep(50);
}

async function run(yaml: string, inputs: Parameters<InProcess['start']>[1] = {}) {
  const runId = await stack.start(await stack.save(yaml), inputs);
  return { runId, row: await stack.done(runId) };
}

describe('shapes', () => {
  it('runs a parallel with a gate inside, and reads its results outside', async () => {
    const slug = await stack.save(`
id: par
name: Par
steps:
  - name: both
    action: parallel
    parallel_steps:
      - {name: a, step_type: tool, action: echo, inputs: {v: 1}, output_key: left}
      - {name: gate, step_type: approval, prompt: ok}
      - {name: b, step_type: tool, action: echo, inputs: {v: 2}}
  - {name: sum, step_type: tool, action: echo, inputs: {left: "{left.v}", right: "{b.v}", said: "{gate.decision}", n: "{both.count}"}}
`);
    const runId = await stack.start(slug);
    await stack.decide(runId, await stack.approval(runId), 'approve');
    const row = await stack.done(runId);
    expect(row.status).toBe('complete');
    expect(outputOf(row, 'sum')).toEqual({ left: 1, right: 2, said: 'approved', n: 3 });
  });

  it('layers a DAG and joins', async () => {
    const { row } = await run(`
id: dag
name: Dag
steps:
  - {name: join, step_type: tool, action: echo, depends_on: [x, y], inputs: {x: "{x.v}", y: "{y.v}"}}
  - {name: y, step_type: tool, action: echo, depends_on: [root], inputs: {v: "{root.v}"}}
  - {name: x, step_type: tool, action: echo, depends_on: [root], inputs: {v: "{root.v}"}}
  - {name: root, step_type: tool, action: echo, inputs: {v: 7}}
`);
    expect(row.status).toBe('complete');
    expect(outputOf(row, 'join')).toEqual({ x: 7, y: 7 });
  });

  it('maps over items in item order and names the failed ones', async () => {
    const { row } = await run(
      `
id: each
name: Each
inputs: [{name: items, type: list, required: true}]
steps:
  - name: per
    for_each:
      items: "{items}"
      as: it
      max_parallel: 3
      steps:
        - {name: work, step_type: tool, action: flaky, inputs: {times: "{it.fail}", retryable: false}, on_error: skip}
        - {name: out, step_type: tool, action: echo, inputs: {i: "{it_index}", tries: "{work.tries}"}}
  - {name: after, step_type: tool, action: echo, inputs: {n: "{per.count}", bad: "{per.failed_count}", all: "{per.results[*].i}"}}
`,
      { inputs: { items: [{ fail: 0 }, { fail: 9 }, { fail: 0 }, { fail: 0 }, { fail: 0 }] } },
    );
    expect(row.status).toBe('partial');
    expect(outputOf(row, 'after')).toEqual({ n: 5, bad: 1, all: [0, 1, 2, 3, 4] });
    expect(outputOf(row, 'per')).toMatchObject({ errors: [{ index: 1, step: 'work', code: 'upstream_unavailable' }] });
  });

  it('loops until a condition holds, and stops at the ceiling', async () => {
    const { row } = await run(`
id: looping
name: Loop
steps:
  - name: poll
    loop:
      until: "{count.tries} >= 1"
      max_iterations: 5
      steps:
        - {name: count, step_type: tool, action: flaky, inputs: {times: 0}}
  - name: never
    loop:
      until: "{one.v} == 2"
      max_iterations: 3
      steps:
        - {name: one, step_type: tool, action: echo, inputs: {v: 1}}
`);
    expect(row.status).toBe('complete');
    expect(outputOf(row, 'poll')).toEqual({ iterations: 1, done: true });
    expect(outputOf(row, 'never')).toEqual({ iterations: 3, done: false });
  });

  it('routes by a label, and falls back to the default', async () => {
    const yaml = `
id: routed
name: Routed
inputs: [{name: kind, type: string, required: true}]
steps:
  - name: way
    route:
      on: "{kind}"
      routes:
        red: [{name: r, step_type: tool, action: echo, inputs: {v: red}}]
        blue: [{name: b, step_type: tool, action: echo, inputs: {v: blue}}]
      default: blue
  - {name: end, step_type: tool, action: echo, inputs: {r: "{r.v}", b: "{b.v}", label: "{way.label}"}}
`;
    const red = await run(yaml, { inputs: { kind: 'red' } });
    expect(outputOf(red.row, 'end')).toEqual({ r: 'red', b: null, label: 'red' });
    const other = await run(yaml, { inputs: { kind: 'green' } });
    expect(outputOf(other.row, 'end')).toEqual({ r: null, b: 'blue', label: 'blue' });
  });

  it('runs a playbook as a step, as a run of its own', async () => {
    await stack.save(`
id: inner
name: Inner
inputs: [{name: n, type: number, required: true}]
steps:
  - {name: twice, step_type: tool, action: echo, inputs: {n: "{n}"}}
`);
    const { row, runId } = await run(`
id: outer
name: Outer
steps:
  - name: sub
    action: run_playbook
    playbook: inner
    inputs: {n: 21}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{sub.outputs.twice.n}", s: "{sub.result.status}"}}
`);
    expect({ status: row.status, code: row.status_code }).toEqual({ status: 'complete', code: null });
    expect(outputOf(row, 'end')).toEqual({ n: 21, s: 'complete' });
    const children = await stack.runs.children(row.owner_id, runId);
    expect(children.map((child) => [child.playbook_slug, child.status, child.depth])).toEqual([
      ['inner', 'complete', 1],
    ]);
  });

  it('refuses a playbook that calls itself while it runs', async () => {
    await stack.save('id: b2\nname: B\nsteps:\n  - {name: x, action: run_playbook, playbook: a2}\n');
    const { row } = await run(
      'id: a2\nname: A\nsteps:\n  - {name: y, action: run_playbook, playbook: b2, on_error: stop}\n',
    );
    expect(row.status).toBe('partial');
  });
});

describe('failures', () => {
  it('retries what may pass, then skips by default and is partial', async () => {
    const { row, runId } = await run(`
id: retrying
name: Retrying
steps:
  - {name: ok, step_type: tool, action: flaky, retry_count: 2, inputs: {times: 2}}
  - {name: bad, step_type: tool, action: flaky, retry_count: 1, inputs: {times: 9}}
  - {name: end, step_type: tool, action: echo, inputs: {ok: "{ok.tries}", bad: "{bad.tries}", status: "{bad.status}", code: "{bad.error.code}"}}
`);
    expect(row.status).toBe('partial');
    expect(outputOf(row, 'end')).toEqual({ ok: 3, bad: null, status: 'failed', code: 'upstream_unavailable' });
    const failed = (await stack.events(runId)).filter((event) => event.type === 'step.attempt_failed');
    expect(failed.map((event) => event.step_path)).toEqual(['ok', 'ok', 'bad', 'bad']);
  });

  it('on_error: retry is one more try for what may pass, and none for what would fail again', async () => {
    const { row, runId } = await run(`
id: onretry
name: R
steps:
  - {name: once, step_type: tool, action: flaky, on_error: retry, inputs: {times: 1}}
  - {name: refused, step_type: tool, action: flaky, on_error: retry, inputs: {times: 1, retryable: false}}
`);
    expect(row.status).toBe('partial');
    expect(outputOf(row, 'once')).toEqual({ tries: 2 });
    const failed = (await stack.events(runId)).filter((event) => event.type === 'step.attempt_failed');
    expect(failed.map((event) => event.step_path)).toEqual(['once', 'refused']);
  });

  it('on_error: stop fails the run and keeps what there is', async () => {
    const { row } = await run(`
id: stopping
name: S
steps:
  - {name: first, step_type: tool, action: echo, inputs: {v: 1}}
  - {name: bad, step_type: tool, action: flaky, on_error: stop, inputs: {times: 9}}
  - {name: never, step_type: tool, action: echo, inputs: {v: 2}}
`);
    expect({ status: row.status, code: row.status_code }).toEqual({ status: 'failed', code: 'upstream_unavailable' });
    expect(outputOf(row, 'first')).toEqual({ v: 1 });
    expect(outputOf(row, 'never')).toBeUndefined();
  });

  it('ends a step at its time', async () => {
    const { row } = await run(`
id: slow
name: Slow
steps:
  - {name: nap, step_type: tool, action: nap, timeout_seconds: 1, inputs: {ms: 60000}}
  - {name: end, step_type: tool, action: echo, inputs: {code: "{nap.error.code}"}}
`);
    expect(row.status).toBe('partial');
    expect(outputOf(row, 'end')).toEqual({ code: 'step_timeout' });
  });

  it('skips by condition without being partial', async () => {
    const { row } = await run(`
id: conditional
name: C
steps:
  - {name: a, step_type: tool, action: echo, inputs: {v: 1}}
  - {name: b, step_type: tool, action: echo, condition: "{a.v} > 5", inputs: {v: 2}}
  - {name: end, step_type: tool, action: echo, inputs: {b: "{b.v}", s: "{b.status}"}}
`);
    expect(row.status).toBe('complete');
    expect(outputOf(row, 'end')).toEqual({ b: null, s: 'skipped' });
  });
});

describe('gates', () => {
  const gate = (more: string) => `
id: gate-${Math.random().toString(36).slice(2)}
name: Gate
steps:
  - {name: ask, step_type: approval, prompt: go, ${more}}
  - {name: end, step_type: tool, action: echo, inputs: {d: "{ask.decision}"}}
`;
  it('rejected: stop ends the run, skip goes on', async () => {
    const stop = await stack.start(await stack.save(gate('on_reject: stop')));
    await stack.decide(stop, await stack.approval(stop), 'reject', { instructions: 'no' });
    expect((await stack.done(stop)).status).toBe('rejected');
    const skip = await stack.start(await stack.save(gate('on_reject: skip')));
    await stack.decide(skip, await stack.approval(skip), 'reject');
    const row = await stack.done(skip);
    expect([row.status, outputOf(row, 'end')]).toEqual(['complete', { d: 'rejected' }]);
  });

  it('approved: a step that reads the answer is carried out', async () => {
    const runId = await stack.start(await stack.save(gate('on_reject: stop')));
    await stack.decide(runId, await stack.approval(runId), 'approve');
    const row = await stack.done(runId);
    expect([row.status, outputOf(row, 'end')]).toEqual(['complete', { d: 'approved' }]);
  });

  it('auto_approve records the decision with actor policy', async () => {
    const runId = await stack.start(await stack.save(gate('on_reject: stop')), { approval_policy: 'auto_approve' });
    const row = await stack.done(runId);
    expect(outputOf(row, 'end')).toEqual({ d: 'auto_approved' });
    const decided = (await stack.events(runId)).find((event) => event.type === 'approval.decided');
    expect(decided?.payload).toMatchObject({ decision: 'auto_approved', decided_by: 'policy' });
  });

  it('F07a: of twenty decisions at once exactly one counts', async () => {
    const runId = await stack.start(await stack.save(gate('on_reject: stop')));
    const approvalId = await stack.approval(runId);
    const answers = await Promise.all(Array.from({ length: 20 }, () => stack.decide(runId, approvalId, 'approve')));
    expect(answers.filter((answer) => answer.state === 'counted')).toHaveLength(1);
    await stack.done(runId);
    const rows = await stack.decisions.list('00000000-0000-4000-8000-000000000001', approvalId);
    expect(rows.filter((row) => row.state === 'counted')).toHaveLength(1);
  });

  it('instructions reach the gated step, whose digest is the approved one', async () => {
    const runId = await stack.start(
      await stack.save(
        'id: instructed\nname: I\nsteps:\n  - {name: ask, step_type: approval, prompt: go}\n  - {name: say, step_type: tool, action: echo, inputs: {note: "{ask.instructions}"}}\n',
      ),
    );
    await stack.decide(runId, await stack.approval(runId), 'approve', { instructions: 'kindly' });
    const row = await stack.done(runId);
    expect([row.status, outputOf(row, 'say')]).toEqual(['complete', { note: 'kindly' }]);
  });

  it('writes the row of a gate that the policy approved, as the last step too', async () => {
    const runId = await stack.start(
      await stack.save('id: last-gate\nname: L\nsteps:\n  - {name: ask, step_type: approval, prompt: go}\n'),
      { approval_policy: 'auto_approve' },
    );
    await stack.done(runId);
    const page = await stack.approvals.list('00000000-0000-4000-8000-000000000001', { runId });
    expect(page.items.map((approval) => approval.status)).toEqual(['auto_approved']);
  });

  it('edited inputs reach the gated step', async () => {
    const runId = await stack.start(
      await stack.save(`
id: editing
name: E
steps:
  - {name: ask, step_type: approval, prompt: go}
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "first"}}
`),
    );
    const answer = await stack.decide(runId, await stack.approval(runId), 'approve', {
      edits: { summary: 'edited {x}' },
    });
    expect(answer).toEqual({ state: 'counted' });
    const row = await stack.done(runId);
    expect(row.status).toBe('complete');
    const [entry] = await stack.admin.query<{ summary: string }>(
      `select summary from journal_entries where run_id = $1 and kind = 'note'`,
      [runId],
    );
    expect(entry?.summary).toBe('edited {x}');
  });
});

describe('control', () => {
  it('cancels a step in flight', async () => {
    const runId = await stack.start(
      await stack.save(
        'id: cn\nname: C\nsteps:\n  - {name: nap, step_type: tool, action: nap, inputs: {ms: 600000}}\n',
      ),
    );
    await stack.until(runId, (row) => row.status === 'running');
    await stack.runs.setControl('00000000-0000-4000-8000-000000000001', runId, 'cancel');
    await stack.gateway.cancelRun(runId);
    expect((await stack.done(runId)).status).toBe('cancelled');
  });

  it('pauses before the next step and goes on after resume', async () => {
    const runId = await stack.start(
      await stack.save(`
id: pausing
name: P
steps:
  - {name: nap, step_type: tool, action: nap, inputs: {ms: 1500}}
  - {name: end, step_type: tool, action: echo, inputs: {v: 1}}
`),
    );
    await stack.until(runId, (row) => row.status === 'running');
    await stack.runs.setControl('00000000-0000-4000-8000-000000000001', runId, 'pause');
    await stack.gateway.pauseRun(runId);
    await stack.until(runId, (row) => row.status === 'paused', 'the pause');
    await eventually(async () => (await stack.events(runId)).some((event) => event.type === 'step.finished'));
    await stack.runs.setControl('00000000-0000-4000-8000-000000000001', runId, 'run');
    await stack.gateway.resumeRun(runId);
    expect((await stack.done(runId)).status).toBe('complete');
  });
});
