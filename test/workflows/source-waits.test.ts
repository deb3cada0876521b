import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { ConnectorDefinition } from '../../core/connector/types';
import { readConnector } from '../../connectors/definition/read-connector';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { openKeys, openVault } from '../../infra/secrets/open-vault';
import type { RunRow } from '../../infra/db/stores/run-types';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { startInProcess, type InProcess } from '../support/in-process';
import { together } from '../support/together';

type Behaviour = (at: number, url: string) => { status: number; headers?: Record<string, string>; body?: unknown };

let stack: InProcess;
let source: HttpSource;
let connectors: ConnectorsStore<ConnectorDefinition>;
/** Behaviour of the source at its n-th request, and the times of requests, by path. */
const behaviours = new Map<string, Behaviour>();
const arrived = new Map<string, number[]>();

beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    const path = request.url.split('?')[0] ?? '';
    const times = arrived.get(path) ?? [];
    times.push(Date.now());
    arrived.set(path, times);
    const { status, headers, body } = behaviours.get(path)?.(times.length, request.url) ?? { status: 200 };
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    sendJson(response, body ?? [{ n: times.length }], status);
  });
  stack = await startInProcess({ env: { AF_EGRESS_ALLOW: `127.0.0.1:${source.port}` } });
  connectors = new ConnectorsStore(stack.database);
});
afterAll(async () => {
  await stack?.close();
  await source?.close();
});

interface StepStart {
  runId: string;
  path: string;
  times(): number[];
}

/** A run of one call of a source of its own, and a step behind it. */
async function begin(behaviour: Behaviour, step = '', endpoint = ''): Promise<StepStart> {
  const id = `s-${randomUUID().slice(0, 8)}`;
  const path = `/${id}`;
  behaviours.set(path, behaviour);
  // A source of its own: limits without a credential belong to the origin.
  const text = `{id: ${id}, type: rest_api, connection: {base_url: "http://127.0.0.1:${source.port}", auth: {type: bearer_token, secret: {secret: ${id}}}}, endpoints: {list: {path: ${path}${endpoint}}}}`;
  const { definition: body } = readConnector(text);
  if (body === undefined) throw new Error('the connector does not parse');
  const definition = { slug: id, name: id, kind: body.type, content_hash: id, source_format: 'yaml' as const };
  const { version } = await connectors.save(LOCAL_USER_ID, { ...definition, source: text, body });
  await giveSecret(id);
  const slug = await stack.save(`id: ${id}
name: ${id}
steps:
  - {name: call, step_type: tool, action: call_connector, params: {connector: ${id}, endpoint: list${step}}, on_error: skip}
  - {name: end, step_type: tool, action: write_journal_entry, inputs: {summary: "{call.count} rows"}}`);
  const runId = await stack.start(slug, { connectors: { [id]: version.id } });
  return { runId, path, times: () => arrived.get(path) ?? [] };
}

async function giveSecret(name: string): Promise<void> {
  const vault = openVault(stack.config, stack.database, openKeys(stack.config));
  await vault.create(LOCAL_USER_ID, name, { value: `canary-${name}`, allowedHosts: ['*'] });
}

const waitsFor = (run: RunRow): boolean =>
  run.waits.some(
    (wait) => typeof wait === 'object' && wait !== null && !Array.isArray(wait) && wait['kind'] === 'source',
  );
const refuseOnce =
  (headers: () => Record<string, string>): Behaviour =>
  (at) =>
    at === 1 ? { status: 429, headers: headers() } : { status: 200 };

describe('a source that asks for silence', () => {
  together((it) => {
    const headersOf: [string, () => Record<string, string>][] = [
      ['F14a seconds', () => ({ 'retry-after': '7' })],
      ['F14b a date', () => ({ 'retry-after': new Date(Date.now() + 7999).toUTCString() })],
    ];
    for (const [what, headers] of headersOf) {
      it(`${what}: the run holds the timer and says so; no worker is held and no try is counted`, async () => {
        const { runId, times } = await begin(refuseOnce(headers));
        const waiting = await stack.until(runId, waitsFor, 'the wait');
        expect(waiting).toMatchObject({
          status: 'running',
          waits: [{ kind: 'source', step_path: 'call', reason: 'rate_limited', source: source.url }],
        });
        // Run that no worker holds: no activity is under way.
        const described = await stack.client.workflow.getHandle(`run-${runId}`).describe();
        expect(described.raw.pendingActivities ?? []).toEqual([]);
        const run = await stack.done(runId);
        expect(run).toMatchObject({ status: 'complete', waits: [] });
        expect(times()).toHaveLength(2);
        expect((times()[1] ?? 0) - (times()[0] ?? 0)).toBeGreaterThanOrEqual(6900);
        const events = await stack.events(runId);
        expect(events.find(({ type }) => type === 'step.waiting')?.payload).toMatchObject({
          reason: 'rate_limited',
          source: source.url,
          try_no: 1,
        });
        expect(events.map(({ type }) => type)).not.toContain('step.attempt_failed');
        expect(run.connectors_called).toMatchObject([{ endpoint: 'list', calls: 1, failed: 0, requests: 2 }]);
        const attempts = await stack.admin.query(
          `select starts, released from step_attempts where run_id = $1 and step_path = 'call'`,
          [runId],
        );
        expect(attempts).toEqual([{ starts: 2, released: 1 }]);
      });
    }

    it('in the middle of its pages: what was read is kept, and no page is asked for twice', async () => {
      const rows = (page: number) =>
        Array.from({ length: 100 }, (_each, n) => ({ n: page * 100 + n, text: 'x'.repeat(200) }));
      const answers = [rows(1), rows(2), undefined, rows(3), []];
      const { runId, times } = await begin(
        (at) => {
          const body = answers[at - 1];
          return body === undefined ? { status: 429, headers: { 'retry-after': '6' } } : { status: 200, body };
        },
        '',
        ', pagination: {type: page, param: page, size_param: size, size: 100}',
      );
      await stack.until(runId, waitsFor, 'the wait');
      const run = await stack.done(runId);
      expect(run).toMatchObject({ status: 'complete', connectors_called: [{ calls: 1, failed: 0, requests: 5 }] });
      expect(times()).toHaveLength(5);
      const output = run.result?.['call'];
      expect(output?.value).toMatchObject({ count: 300, pages: 4, stopped_by: 'end', truncated: false });
      // The pages were outside of the history meanwhile.
      const history = await stack.client.workflow.getHandle(`run-${runId}`).fetchHistory();
      expect(JSON.stringify(history).length).toBeLessThan(200_000);
    });

    it('and a pause that its next part finds: it goes on where it was, and every page is seen once', async () => {
      const pages: string[] = [];
      const { runId, path } = await begin(
        (_at, url) => {
          const page = Number(new URL(url, source.url).searchParams.get('page'));
          const refuse = page === 2 && !pages.includes('refused');
          pages.push(refuse ? 'refused' : String(page));
          if (refuse) return { status: 429, headers: { 'retry-after': '6' } };
          return { status: 200, body: page < 4 ? [{ n: page }] : [] };
        },
        '',
        ', pagination: {type: page, param: page}',
      );
      await stack.until(runId, waitsFor, 'the wait');
      // Pause in the row only: the activity after the wait is sent, and finds it.
      await stack.runs.setControl(LOCAL_USER_ID, runId, 'pause');
      await stack.until(runId, (run) => run.status === 'paused' && !waitsFor(run), 'the pause');
      expect(pages).toEqual(['1', 'refused']);
      await stack.runs.setControl(LOCAL_USER_ID, runId, 'run');
      await stack.gateway.resumeRun(runId);
      const run = await stack.done(runId);
      expect(run).toMatchObject({ status: 'complete', connectors_called: [{ calls: 1, failed: 0, requests: 5 }] });
      expect(run.result?.['call']?.value).toMatchObject({ results: [{ n: 1 }, { n: 2 }, { n: 3 }], count: 3 });
      expect({ path, pages }).toEqual({ path, pages: ['1', 'refused', '2', '3', '4'] });
    });

    it('a cancel ends the wait', async () => {
      const { runId, times } = await begin(refuseOnce(() => ({ 'retry-after': '3000' })));
      await stack.until(runId, waitsFor, 'the wait');
      await stack.runs.setControl(LOCAL_USER_ID, runId, 'cancel');
      await stack.gateway.cancelRun(runId);
      expect(await stack.done(runId)).toMatchObject({ status: 'cancelled' });
      expect(times()).toHaveLength(1);
    });

    it('a paused run does not go on when the wait is over', async () => {
      const { runId, times } = await begin(refuseOnce(() => ({ 'retry-after': '6' })));
      await stack.until(runId, waitsFor, 'the wait');
      await stack.runs.setControl(LOCAL_USER_ID, runId, 'pause');
      await stack.gateway.pauseRun(runId);
      await stack.until(runId, (run) => run.status === 'paused', 'the pause');
      // The wait is gone from the row, the pause is not: its timer has fired.
      await stack.until(runId, (run) => !waitsFor(run), 'the end of the wait');
      expect(times()).toHaveLength(1);
      await stack.runs.setControl(LOCAL_USER_ID, runId, 'run');
      await stack.gateway.resumeRun(runId);
      expect(await stack.done(runId)).toMatchObject({ status: 'complete' });
      expect(times()).toHaveLength(2);
    });

    it('beyond max_wait_seconds the step fails, the run goes on and names its source', async () => {
      const { runId, times } = await begin(
        refuseOnce(() => ({ 'retry-after': '60' })),
        ', max_wait_seconds: 30',
      );
      const run = await stack.done(runId);
      expect(run).toMatchObject({
        status: 'partial',
        connectors_called: [{ endpoint: 'list', calls: 1, failed: 1, requests: 1, stale: 0 }],
      });
      expect(times()).toHaveLength(1);
      const [failed] = await stack.admin.query<{ error: { code: string; details: object } }>(
        `select error from step_results where run_id = $1 and status = 'failed'`,
        [runId],
      );
      expect(failed?.error).toMatchObject({ code: 'rate_limited', details: { retry_after: 60 } });
    });
  });
});

describe('F12a a source that answers with 3 MB', () => {
  it('leaves a small history', async () => {
    const rows = Array.from({ length: 3000 }, (_each, n) => ({ n, text: 'x'.repeat(1000) }));
    const { runId } = await begin(() => ({ status: 200, body: rows }));
    expect(await stack.done(runId)).toMatchObject({ status: 'complete' });
    const history = await stack.client.workflow.getHandle(`run-${runId}`).fetchHistory();
    expect(JSON.stringify(history).length).toBeLessThan(300_000);
  });
});
