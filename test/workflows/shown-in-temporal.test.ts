import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startInProcess, type InProcess } from '../support/in-process';
import { waitUntil } from '../support/wait-until';

let product: InProcess;
beforeAll(async () => {
  product = await startInProcess();
});
afterAll(() => product?.close());

const CHILD = `
id: inner-ask
name: Inner ask
steps:
  - {name: ask_inside, step_type: approval, prompt: go on}
`;
const PARENT = `
id: shown
name: Shown in lists
steps:
  - name: count
    step_type: tool
    action: transform_data
    inputs: {data: [{a: 1}]}
    operations: [{type: limit, count: 1}]
  - name: review
    step_type: approval
    prompt: "Keep {count.count}?"
    timeout_minutes: 60
  - {name: inner, step_type: tool, action: run_playbook, params: {playbook: inner-ask}}
`;

const describeOf = (runId: string) => product.client.workflow.getHandle(`run-${runId}`).describe();

/** Text of the run's page: made by the workflow, and sealed like all its answers. */
async function detailsOf(runId: string): Promise<string> {
  const handle = product.client.workflow.getHandle(`run-${runId}`);
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

describe('a run in Temporal Web', () => {
  it('is named in lists, and its page says which steps are done, what waits, for whom and until when', async () => {
    await product.save(CHILD);
    const runId = await product.start(await product.save(PARENT));
    const approvalId = await product.approval(runId);
    const { memo, searchAttributes } = await describeOf(runId);
    expect(memo).toMatchObject({ playbook: 'shown', playbook_name: 'Shown in lists' });
    expect(searchAttributes['AfPlaybook']).toEqual(['shown']);
    const details = await detailsOf(runId);
    expect(details).toContain('**Shown in lists**');
    expect(details).toContain('- `count`: done');
    expect(details).toContain('- `review`: waits for a decision');
    expect(details).toContain('- `inner`: not begun');
    expect(details).toMatch(
      new RegExp(
        "Waits for a decision on `review` by the run's owner, until 2\\d{3}-[-\\dT:.]+Z \\(approval " + approvalId,
      ),
    );

    await product.decide(runId, approvalId, 'approve');
    const childOf = () => product.admin.query<{ id: string }>('select id from runs where parent_run_id = $1', [runId]);
    await waitUntil('the child run', async () => (await childOf()).length === 1);
    const [child = { id: '' }] = await childOf();
    const inner = await product.approval(child.id);
    const shown = await describeOf(child.id);
    expect(shown.memo).toMatchObject({ playbook: 'inner-ask', playbook_name: 'Inner ask' });
    expect(shown.searchAttributes['AfPlaybook']).toEqual(['inner-ask']);
    expect(await detailsOf(child.id)).toContain(`(approval ${inner})`);
    expect(await detailsOf(child.id)).toContain('without a time limit');
    await product.decide(child.id, inner, 'approve');
    expect((await product.done(runId)).status).toBe('complete');
  });
});
