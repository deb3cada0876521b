import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { ConnectorDefinition } from '../../core/connector/types';
import { readConnector } from '../../connectors/definition/read-connector';
import { ConnectorCallsStore } from '../../infra/db/stores/connector-calls.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { waitUntil } from '../support/wait-until';
import { startInProcess, type InProcess } from '../support/in-process';

/** Actions that stand as connectors, in whole runs. */
let stack: InProcess;
let pinned: Record<string, string>;
const TEXT = `
id: desk
type: existing_tool
connection: { tool: query_journal }
endpoints:
  recent: { parameters: [{ name: limit, type: integer, default: 5 }] }
  note: { tool: write_journal_entry }
  search: { tool: search_web }
`;

beforeAll(async () => {
  stack = await startInProcess();
  const { definition: body } = readConnector(TEXT);
  if (body === undefined) throw new Error('the connector does not parse');
  const definition = { slug: 'desk', name: 'Desk', kind: body.type, content_hash: 'h', source_format: 'yaml' as const };
  const connectors = new ConnectorsStore<ConnectorDefinition>(stack.database);
  const { version } = await connectors.save(LOCAL_USER_ID, { ...definition, source: TEXT, body });
  pinned = { desk: version.id };
});
afterAll(() => stack?.close());

const step = (name: string, endpoint: string, more = ''): string =>
  `\n  - {name: ${name}, step_type: tool, action: call_connector, params: {connector: desk, endpoint: ${endpoint}}${more}}`;

describe('a run that calls actions by their connector', () => {
  it('names each of them, also one that was skipped, and has a record of each', async () => {
    const note = step('write', 'note', ', inputs: {summary: "by its connector"}');
    const slug = await stack.save(
      `id: desk-work\nname: Desk work\nsteps:${note}${step('read', 'recent')}${step('find', 'search', ', inputs: {query: x}, on_error: skip')}`,
    );
    const runId = await stack.start(slug, { connectors: pinned });
    const run = await stack.done(runId);
    expect(run).toMatchObject({ status: 'partial' });
    expect(run.connectors_called).toEqual([
      { connector: 'desk', endpoint: 'note', calls: 1, failed: 0, requests: 1, stale: 0 },
      { connector: 'desk', endpoint: 'recent', calls: 1, failed: 0, requests: 1, stale: 0 },
      { connector: 'desk', endpoint: 'search', calls: 1, failed: 1, requests: 1, stale: 0 },
    ]);
    expect(run.result?.['read']?.value).toMatchObject({ entries: [{ summary: 'by its connector' }] });
    const records = new ConnectorCallsStore(stack.database);
    await waitUntil('the records', async () => (await records.calls(LOCAL_USER_ID, 'desk')).items.length === 3);
    const { items } = await records.calls(LOCAL_USER_ID, 'desk');
    expect(items.map(({ step_path, origin, outcome }) => `${step_path} ${origin} ${outcome}`).toSorted()).toEqual([
      'find action:search_web not_available',
      'read action:query_journal ok',
      'write action:write_journal_entry ok',
    ]);
    const trail = await stack.admin.query<{ action: string; object_id: string }>(
      `select action, object_id from audit_log where object_type = 'connector' order by object_id`,
    );
    expect(trail).toMatchObject([
      { action: 'connector.called', object_id: 'desk.note' },
      { action: 'connector.called', object_id: 'desk.recent' },
      { action: 'connector.call_failed', object_id: 'desk.search' },
    ]);
  });

  it('has an effect behind the gate alone, once, under the key of its step', async () => {
    const slug = await stack.save(
      `id: desk-gate\nname: Desk gate\nsteps:\n  - {name: gate, step_type: approval, prompt: "Write?"}${step('write', 'note', ', inputs: {summary: "behind the gate"}')}`,
    );
    const runId = await stack.start(slug, { connectors: pinned });
    const approvalId = await stack.approval(runId);
    const written = `select effect_key from journal_entries where summary = 'behind the gate'`;
    expect(await stack.admin.query(written)).toEqual([]);
    expect(await stack.approvals.get(LOCAL_USER_ID, approvalId)).toMatchObject({ on_timeout: 'stop' });
    await stack.decide(runId, approvalId, 'approve');
    expect(await stack.done(runId)).toMatchObject({
      status: 'complete',
      connectors_called: [{ endpoint: 'note', calls: 1, failed: 0 }],
    });
    expect(await stack.admin.query(written)).toEqual([{ effect_key: `${runId}/write` }]);
  });
});

describe('a deterministic run', () => {
  it('calls no model by way of a connector that has come to name one', async () => {
    const { definition } = readConnector(TEXT.replaceAll('desk', 'asks'));
    const body = { ...definition, endpoints: { recent: { ...definition?.endpoints['recent'], tool: 'llm_analyze' } } };
    const { version } = await new ConnectorsStore<ConnectorDefinition>(stack.database).save(LOCAL_USER_ID, {
      slug: 'asks',
      name: 'Asks',
      kind: 'existing_tool',
      content_hash: 'h',
      source_format: 'yaml',
      source: TEXT,
      body: body as unknown as ConnectorDefinition,
    });
    const slug = await stack.save(
      `id: asks-model\nname: A\nexecution_mode: deterministic\nsteps:${step('read', 'recent', ', on_error: stop').replace('desk', 'asks')}`,
    );
    const run = await stack.done(await stack.start(slug, { connectors: { asks: version.id } }));
    expect(run).toMatchObject({ status: 'failed', status_code: 'unknown_tool' });
    expect(await stack.admin.query('select 1 from model_calls where run_id = $1', [run.id])).toEqual([]);
  });
});
