import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';

let stack: InProcess;
beforeAll(async () => {
  stack = await startInProcess();
});
afterAll(() => stack?.close());

const PURE = `
id: pure-steps
name: Pure steps
steps:
  - name: big
    step_type: tool
    action: transform_data
    inputs: {data: "{rows}"}
    operations:
      - {type: filter, field: amount, operator: gt, value: 10}
  - name: total
    step_type: tool
    action: transform_data
    inputs: {data: "{big.data}"}
    operations:
      - {type: aggregate, metrics: [{op: sum, field: amount, as: sum}]}
inputs:
  - {name: rows, type: list, required: true}
`;

describe('a run on real servers', () => {
  it('carries pure steps out inline, without an activity', async () => {
    const slug = await stack.save(PURE);
    const runId = await stack.start(slug, { inputs: { rows: [{ amount: 5 }, { amount: 20 }, { amount: 30 }] } });
    const run = await stack.done(runId);
    expect({ status: run.status, code: run.status_code }).toEqual({ status: 'complete', code: null });
    expect(outputOf(run, 'total')).toEqual({ data: [{ sum: 50 }], count: 1 });
    const events = await stack.events(runId);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
    expect(events.at(-1)?.type).toBe('complete');
    const [, total] = events.filter((event) => event.type === 'step.finished');
    expect(total?.payload).toMatchObject({ inline: true, size: 31, output_preview: { data: [{ sum: 50 }], count: 1 } });
    const { events: history } = await stack.history(runId);
    expect(history.filter((event) => event.eventType.includes('ACTIVITY_TASK_SCHEDULED'))).toHaveLength(0);
  });

  it('keeps all rows of an inline step for whoever decides, beside the first ones', async () => {
    const gate = '  - {name: ask, step_type: approval, prompt: Look, preview_from: big}\ninputs:';
    const slug = await stack.save(PURE.replace('pure-steps', 'shown-whole').replace('inputs:\n  -', `${gate}\n  -`));
    const rows = Array.from({ length: 33 }, (_, at) => ({ amount: 11 + at }));
    const runId = await stack.start(slug, { inputs: { rows } });
    const request = await stack.approvals.require(LOCAL_USER_ID, await stack.approval(runId));
    expect(request).toMatchObject({ preview: rows.slice(0, 10), preview_total: 33, preview_rows: rows });
    const [listed] = (await stack.approvals.list(LOCAL_USER_ID, { runId })).items;
    expect(listed).toMatchObject({ preview: rows.slice(0, 10) });
    expect(listed).not.toHaveProperty('preview_rows');
    await stack.decide(runId, request.id, 'approve');
    expect((await stack.done(runId)).status).toBe('complete');
  });

  it('waits for a person, who is shown what will be done, and goes on', async () => {
    const slug = await stack.save(`
id: gated
name: Gated
inputs:
  - {name: rows, type: list, required: true}
steps:
  - name: ask
    step_type: approval
    preview_from: rows
    prompt: "Save {rows[0].name}?"
  - name: keep
    step_type: tool
    action: save_to_workspace
    inputs: {data: "{rows}"}
    params: {table_name: kept, create_if_missing: true}
`);
    const runId = await stack.start(slug, { inputs: { rows: [{ name: 'Ann', n: 1 }] } });
    const approvalId = await stack.approval(runId);
    const approval = await stack.approvals.require('00000000-0000-4000-8000-000000000001', approvalId);
    expect(approval.prompt).toBe('Save Ann?');
    expect(approval.action).toMatchObject({
      step: 'keep',
      action: 'save_to_workspace',
      inputs: { data: [{ name: 'Ann', n: 1 }] },
    });
    expect(await stack.decide(runId, approvalId, 'approve', { instructions: 'fine' })).toEqual({ state: 'counted' });
    const run = await stack.done(runId);
    expect({ status: run.status, code: run.status_code, message: run.status_message }).toEqual({
      status: 'complete',
      code: null,
      message: null,
    });
    expect(outputOf(run, 'keep')).toMatchObject({ rows_inserted: 1, table_name: 'kept' });
    expect(outputOf(run, 'ask')).toMatchObject({ decision: 'approved', instructions: 'fine' });
  });
});
