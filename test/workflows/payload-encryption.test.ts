import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import type { ActionTable } from '../../activities/actions/types';
import { RUN_STATUSES } from '../../core/base/run-status';
import { openBlobs } from '../../infra/blob/open-blobs';
import { openKeys } from '../../infra/secrets/open-vault';
import { dataConverter, payloadParts } from '../../infra/temporal/connection';
import { testMasterKey } from '../support/keys';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';
import { sourceBundle } from '../support/workflow-bundle';

/** Text in everything that a run is made of and that Temporal gets. */
const MARK = 'opendata7f31';
const CHILD = `
id: sealed-child
name: Child ${MARK}
inputs: [{name: what, type: string, required: true}]
steps:
  - {name: inner_${MARK}, step_type: tool, action: echo, inputs: {v: "{what}"}, output_key: inner}
  - {name: child_gate, step_type: approval, prompt: "child ${MARK}?"}
`;
const PARENT = `
id: sealed
name: Sealed ${MARK}
inputs: [{name: rows, type: list, required: true}]
steps:
  - {name: first_${MARK}, step_type: tool, action: echo, inputs: {v: "{rows}", more: ${MARK}}, output_key: first}
  - {name: gate, step_type: approval, prompt: "go on with ${MARK}?"}
  - name: each
    for_each: {items: "{rows}", as: row, max_parallel: 2, steps: [{name: item, step_type: tool, action: echo, inputs: {v: "{row}"}}]}
  - {name: fails, step_type: tool, action: fail, inputs: {v: ${MARK}}, on_error: skip}
  - {name: large, step_type: tool, action: blow_up, inputs: {v: ${MARK}}}
  - {name: sub, action: run_playbook, playbook: sealed-child, inputs: {what: ${MARK}}}
  - {name: size, step_type: tool, action: measure, inputs: {v: "{large.text}"}}
  - {name: last, step_type: tool, action: echo, inputs: {said: "{gate.decision}", size: "{size.length}", failed: "{fails.status}"}}
`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const actions: ActionTable = {
  echo: async (call) => ({ output: { ...call.inputs } }),
  fail: async (call) => Promise.reject(new Error(`failed with ${textOf(call.inputs['v'])}`)),
  // Action whose result does not compress below the threshold of the blob store.
  blow_up: async (call) => ({ output: { text: randomBytes(50_000).toString('base64') + textOf(call.inputs['v']) } }),
  measure: async (call) => ({ output: { length: textOf(call.inputs['v']).length } }),
};

let stack: InProcess;
let runId: string;
let childId: string;
beforeAll(async () => {
  stack = await startInProcess({ actions, env: { AF_CONTINUE_AS_NEW_EVENTS: '50' } });
  await stack.save(CHILD);
  runId = await stack.start(await stack.save(PARENT), {
    query: `about ${MARK}`,
    inputs: { rows: [MARK, 'b', 'c', 'd', 'e'] },
  });
  await stack.decide(runId, await stack.approval(runId), 'approve', { instructions: `yes ${MARK}` });
  childId = await childOf(runId);
  await stack.decide(childId, await stack.approval(childId), 'approve');
  await stack.done(runId);
});
afterAll(() => stack?.close());

async function childOf(parent: string): Promise<string> {
  for (;;) {
    const rows = await stack.admin.query<{ id: string }>('select id from runs where parent_run_id = $1', [parent]);
    if (rows[0] !== undefined) return rows[0].id;
    await sleep(100);
  }
}

/** Every execution of a run, as the server keeps it. */
async function histories(id: string): Promise<temporal.api.history.v1.IHistory[]> {
  const found: temporal.api.history.v1.IHistory[] = [];
  for (let next: string | undefined = ''; next !== undefined;) {
    const handle = stack.client.workflow.getHandle(`run-${id}`, next === '' ? await firstExecution(id) : next);
    const history: temporal.api.history.v1.IHistory = await handle.fetchHistory();
    found.push(history);
    next = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
  }
  return found;
}

async function firstExecution(id: string): Promise<string> {
  const history = await stack.client.workflow.getHandle(`run-${id}`).fetchHistory();
  return history.events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId ?? '';
}

const bytesOf = (history: temporal.api.history.v1.IHistory): string =>
  Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1');

describe('a run with keys', () => {
  it('runs as without them: gate, map, child, continue-as-new, values above the limits', async () => {
    const row = await stack.done(runId);
    expect([row.status, (await stack.done(childId)).status]).toEqual(['partial', 'complete']);
    expect(outputOf(row, 'last')).toEqual({ said: 'approved', size: 66_668 + MARK.length, failed: 'failed' });
  });

  it('K01: leaves ciphertext alone in its histories: inputs, results, summaries, details, updates', async () => {
    for (const id of [runId, childId]) {
      const all = await histories(id);
      for (const history of all) {
        expect(history.events?.length).toBeGreaterThan(3);
        expect(bytesOf(history)).not.toContain(MARK);
        expect(bytesOf(history)).toContain('binary/af-sealed');
      }
    }
  });

  it('shows its summary to who has the key, and the server has ciphertext of it', async () => {
    const described = await stack.client.workflow.getHandle(`run-${childId}`).describe();
    expect(await described.staticSummary()).toBe(`Child ${MARK}`);
    const { namespace } = stack.client.options;
    const raw = await stack.client.connection.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId: `run-${childId}` },
    });
    expect(JSON.stringify(raw)).not.toContain(MARK);
    expect(Buffer.from(raw.executionConfig?.userMetadata?.summary?.metadata?.['encoding'] ?? []).toString()).toBe(
      'binary/af-sealed',
    );
  });

  it('has ids and enumerated values in its search attributes, and nothing else', async () => {
    const { typedSearchAttributes } = await stack.client.workflow.getHandle(`run-${runId}`).describe();
    const found = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, String(value)]));
    const ours = Object.keys(found).filter((name) => name.startsWith('Af'));
    expect(ours.sort()).toEqual(['AfOwner', 'AfPlaybook', 'AfRunContext', 'AfStatus']);
    expect(found['AfOwner']).toMatch(/^[0-9a-f-]{36}$/);
    expect(found['AfPlaybook']).toBe('sealed');
    expect(['interactive', 'scheduled', 'monitor', 'api', 'retry']).toContain(found['AfRunContext']);
    expect(RUN_STATUSES).toContain(found['AfStatus']);
  });

  it('replays with its key, and not with another one', async () => {
    const outcome = async (masterKeys: string): Promise<(string | undefined)[]> => {
      const { ring } = openKeys({ home: '/nowhere', masterKeys, masterKeysFile: undefined });
      const parts = payloadParts(stack.config, openBlobs(stack.config, stack.database), ring);
      const converter = dataConverter(stack.config, parts);
      const options = { workflowBundle: await sourceBundle(), dataConverter: converter };
      const given = (await histories(runId)).map((history) => ({ workflowId: `run-${runId}`, history }));
      const results: (string | undefined)[] = [];
      for await (const { error } of Worker.runReplayHistories(options, given)) results.push(error?.message);
      return results;
    };
    const replayed = await outcome(testMasterKey('test'));
    expect(replayed.length).toBeGreaterThan(1);
    expect(replayed.filter((error) => error !== undefined)).toEqual([]);
    expect((await outcome(testMasterKey('other'))).filter((error) => error === undefined)).toEqual([]);
  });
});
