import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../core/base/json';
import { DATA_DIR, describeWithData } from '../support/data';
import { checkLedger } from '../support/ledger';
import { ModelServer } from '../support/model-server';
import { newFolder } from '../support/run-folder';
import { startStack, type Stack } from '../support/stack';

const EXPECTED = JSON.parse(
  readFileSync(path.join(__dirname, '../fixtures/nonprofit-filing-review.expected.json'), 'utf8'),
) as { irs990: { flags: Record<string, JsonObject[]>; replaced: JsonObject[]; unreadable: string[] } };

/** The step at which the example asks. */
const GATE = 'review';

/** Facts of the files, read by another program. */
const FACTS: Record<string, JsonObject> = {
  '201132069349300318_public.xml': {
    ein: '200253310',
    tax_period_end: '2010-12-31',
    total_revenue: 4761721,
    total_expenses: 4097304,
  },
  '201521819349301247_public.xml': {
    ein: '200253310',
    tax_period_end: '2014-12-31',
    total_revenue: 10304545,
    total_expenses: 5701946,
  },
  '201522139349100402_public.xml': {
    ein: '742805201',
    tax_period_end: '2014-12-31',
    total_revenue: 19741,
    total_expenses: 14467,
  },
  '201612429349300846_public.xml': {
    ein: '200253310',
    tax_period_end: '2015-12-31',
    total_revenue: 7073443,
    total_expenses: 4159348,
    amended: true,
  },
  '201831309349303578_public.xml': {
    ein: '200253310',
    tax_period_end: '2017-12-31',
    total_revenue: 12086670,
    total_expenses: 6971069,
  },
};

describeWithData('irs990', 'the example over every filing, on the whole product', () => {
  let stack: Stack;
  let models: ModelServer;
  beforeAll(async () => {
    const folder = newFolder('filings');
    cpSync(path.join(DATA_DIR, 'irs990'), folder, { recursive: true });
    models = await ModelServer.start({ autoFill: true });
    const env = {
      AF_IMPORT_DIRS: folder,
      AF_MODELS: 'openai/stand-in',
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: models.openaiUrl,
    };
    stack = await startStack({ env, egress: [`127.0.0.1:${models.port}`] });
  });
  afterAll(async () => {
    await stack?.close();
    await models?.close();
  });

  it('reads, flags, asks, reports; the damaged files are named and spoil nothing', async () => {
    const runId = await stack.api.startRun('nonprofit-filing-review-deterministic');
    const approvalId = await stack.api.approval(runId);
    const approval = await stack.api.must('GET', `/approvals/${approvalId}`);
    expect(approval['prompt']).toContain('5 flags in 5 filings (1 replaced returns, 2 files that could not be read)');
    expect(
      (await stack.api.decide(approvalId, 'approve', { instructions: 'Looked at by a person.' })).body,
    ).toMatchObject({ state: 'counted' });
    const run = await stack.api.done(runId);
    expect(run.status).toBe('complete');

    const outputs = run['outputs'] as Record<string, JsonObject>;
    expectFlags(rowsOf(outputs, 'flags'));
    const overview = new Map(rowsOf(outputs, 'overview').map((filing) => [filing['file'], filing]));
    expect(new Set(overview.keys())).toEqual(new Set(Object.keys(FACTS)));
    for (const [file, facts] of Object.entries(FACTS)) expect(overview.get(file)).toMatchObject(facts);

    const report = await textOf(run, '.md');
    expect(report).toContain('Looked at by a person.');
    expect(report).toContain('Jennifer DeVoll');
    for (const file of EXPECTED.irs990.unreadable) expect(report).toContain(file);
    expect((await textOf(run, '.csv')).trim().split('\n')).toHaveLength(1 + 5);
    const journal = await stack.api.must<{ items: JsonObject[] }>('GET', '/journal');
    expect(journal.items.some((entry) => entry['runId'] === runId)).toBe(true);
    expect(await checkLedger(stack)).toEqual([]);
  });

  it('asks a model in the hybrid variant, and counts what it cost', async () => {
    const runId = await stack.api.startRun('nonprofit-filing-review');
    await stack.api.decide(await stack.api.approval(runId), 'approve');
    const run = await stack.api.done(runId);
    expect(run.status).toBe('complete');
    expect(models.requests).toHaveLength(1);
    const calls = (await stack.api.events(runId)).filter((event) => event.event === 'model.call');
    expect(calls).toHaveLength(1);
    expect(calls[0]?.data).toMatchObject({
      provider: 'openai',
      model: 'stand-in',
      outcome: 'ok',
      input_tokens: 100,
      output_tokens: 20,
    });
  });

  it('reads like the playbook in Temporal Web', async () => {
    const runId = await stack.api.startRun('nonprofit-filing-review-deterministic');
    const approvalId = await stack.api.approval(runId);
    const { owner_id: owner } = await stack.api.must('GET', `/runs/${runId}`);
    const handle = stack.client.workflow.getHandle(`run-${runId}`);
    await expectWaitingAtGate(handle, approvalId);
    await stack.api.decide(approvalId, 'approve');
    await stack.api.done(runId);
    const history = await handle.fetchHistory();
    // All tasks of one owner have one key, so that their thousand runs do not stand before another's one.
    expect(history.events?.[0]?.workflowExecutionStartedEventAttributes?.priority).toMatchObject({
      fairnessKey: owner,
    });
    const types = (history.events ?? []).flatMap(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
    );
    expect(types).toEqual(['call_connector', 'route_output', 'route_output']);
    const found = await handle.describe();
    expect(await found.staticSummary()).toBe('Nonprofit filing review (no model)');
  });

  /** The two queries, and the text on the run's page. */
  async function expectWaitingAtGate(handle: WorkflowHandle, approvalId: string): Promise<void> {
    const state = await handle.query<JsonObject & { steps_done: number }>('state');
    expect(state).toMatchObject({ paused: false, partial: false, closing: null });
    expect(state['steps']).toEqual([{ path: GATE, phase: 'gate', try_no: 1 }]);
    expect(await handle.query<string>('progress')).toBe(
      `${state.steps_done} steps done\n- \`${GATE}\`: waits for a decision`,
    );
    const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    const lines = (currentDetails ?? '').split('\n');
    expect(lines[0]).toBe('**Nonprofit filing review (no model) (1.0)**');
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^waiting_approval, ${state.steps_done} of \\d+ steps done\\.$`)),
    );
    expect(lines.filter((line) => line !== '').slice(-2)).toEqual([
      `Waits for a decision on \`${GATE}\` by the run's owner, without a time limit (approval ${approvalId}).`,
      '- ! read_filings: 2 of 8 files not read',
    ]);
  }

  function expectFlags(flags: JsonObject[]): void {
    const expected = Object.entries(EXPECTED.irs990.flags).flatMap(([file, list]) =>
      list.map((flag) => ({ file, ...flag })),
    );
    expect(flags).toHaveLength(expected.length);
    for (const flag of expected) expect(flags).toContainEqual(expect.objectContaining(flag));
  }

  async function textOf(run: JsonObject, ending: string): Promise<string> {
    const documents = await stack.api.must<{ items: { id: string; name: string; runId?: string }[] }>(
      'GET',
      '/documents',
    );
    const document = documents.items.find((item) => item.name.endsWith(ending) && item.runId === run['runId']);
    const { url, headers } = stack.api;
    const response = await fetch(`${url}/api/agent-factory/documents/${document?.id}/download`, { headers });
    return response.text();
  }
});

function rowsOf(outputs: Record<string, JsonObject>, key: string): JsonObject[] {
  return outputs[key]?.['data'] as JsonObject[];
}
