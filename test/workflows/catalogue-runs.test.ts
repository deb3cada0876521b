import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { JsonObject } from '../../core/base/json';
import type { RateLimit, RestConnector } from '../../core/connector/types';
import type { RunRow } from '../../infra/db/stores/run-types';
import { templates } from '../infra/catalog/templates';
import { describeWithData } from '../support/data';
import { SOURCE_SECRETS, SOURCES } from '../support/sources/by-template';
import { startSource, type RunningSource } from '../support/sources/serve';
import { waitUntil } from '../support/wait-until';
import { callStep, startSourceRuns, type SourceRuns } from './source-runs';

const NAMES = ['fec-contributions', 'propublica-nonprofit', 'sec-edgar'] as const;
type Name = (typeof NAMES)[number];

const TEMPLATES = templates();
const sources = new Map<Name, RunningSource>();
let runs: SourceRuns;
let secrets: Record<string, string> | undefined = { FEC_API_KEY: SOURCE_SECRETS['FEC_API_KEY']! };

beforeAll(async () => {
  for (const name of NAMES) sources.set(name, await startSource(SOURCES[name]!));
  runs = await startSourceRuns([...sources.values()].map(({ port }) => port));
});
afterAll(async () => {
  await runs?.close();
  await Promise.all([...sources.values()].map((source) => source.close()));
});

/** A run of one call of what ships, at the recorded source; `id`: of a copy of the template with limits of its own. */
async function begin(
  name: Name,
  call: { endpoint: string; inputs: JsonObject; max_wait_seconds?: number },
  copy: { id?: string; limit?: RateLimit } = {},
): Promise<string> {
  const led = sources.get(name)!.lead(TEMPLATES.get(name)!.definition) as RestConnector;
  const { id = name, limit = led.connection.rate_limit } = copy;
  const connection = { ...led.connection, ...(limit === undefined ? {} : { rate_limit: limit }) };
  const given = secrets;
  secrets = undefined;
  return runs.begin({
    connector: { ...led, id, connection },
    ...(given === undefined ? {} : { secrets: given }),
    steps: [callStep('call', { connector: id, ...call })],
  });
}

const waitsFor = (run: RunRow): boolean => run.waits.length > 0;

interface Called {
  outcome: string;
  status: number | null;
  cache: string;
  page: number | null;
  items: number | null;
  at: string;
}

/** Records of a run, once all have been written. */
async function records(runId: string, count: number): Promise<Called[]> {
  let found: Called[] = [];
  await waitUntil(`${count} records`, async () => {
    found = await runs.stack.admin.query<Called>(
      'select outcome, status, cache, page, items, at from connector_calls where run_id = $1 order by at, page',
      [runId],
    );
    return found.length >= count;
  });
  return found;
}

describeWithData('fec', 'sources of the catalogue, in runs', () => {
  const RECEIPTS = { endpoint: 'search_contributions', inputs: {} };

  it('FEC: a 429 between two pages is a wait of the run; the next run is served from what was kept', async () => {
    const source = sources.get('fec-contributions')!;
    source.allow(2, '7');
    const first = await begin('fec-contributions', RECEIPTS);
    const waiting = await runs.stack.until(first, waitsFor, 'the wait');
    expect(waiting.waits).toMatchObject([{ kind: 'source', step_path: 'call', reason: 'rate_limited' }]);
    expect(source.seen).toHaveLength(3);
    source.allow(1000);
    const run = await runs.done(first);
    expect(run).toMatchObject({
      status: 'complete',
      connectors_called: [{ calls: 1, failed: 0, requests: 5, stale: 0 }],
    });
    expect(run.result?.['call']?.value).toMatchObject({ count: 230, pages: 4, stopped_by: 'end' });
    // No page twice.
    expect(new Set(source.seen).size).toBe(4);
    expect((await records(first, 5)).map(({ outcome, status, cache }) => [outcome, status, cache])).toEqual([
      ['ok', 200, 'miss'],
      ['ok', 200, 'miss'],
      ['rate_limited', 429, 'miss'],
      ['ok', 200, 'miss'],
      ['ok', 200, 'miss'],
    ]);

    const again = await begin('fec-contributions', RECEIPTS);
    expect(await runs.done(again)).toMatchObject({ status: 'complete' });
    expect(source.seen).toHaveLength(5);
  });

  it('FEC: the limit of an hour holds the run before the source has to refuse it', async () => {
    const source = sources.get('fec-contributions')!;
    const before = source.seen.length;
    const limit = { requests_per_hour: 2 };
    const call = { ...RECEIPTS, max_wait_seconds: 7200 };
    const runId = await begin('fec-contributions', call, { id: 'fec-of-two-an-hour', limit });
    const waiting = await runs.stack.until(runId, waitsFor, 'the wait');
    expect(waiting.waits).toMatchObject([{ kind: 'source', reason: 'rate_limited' }]);
    const leased = await runs.stack.admin.query<{ used: number }>(
      `select sum(used)::int as used from connector_bucket_use where period = 'hour'`,
    );
    expect(leased[0]?.used).toBeGreaterThanOrEqual(2);
    await runs.stack.runs.setControl(LOCAL_USER_ID, runId, 'cancel');
    await runs.stack.gateway.cancelRun(runId);
    expect(await runs.done(runId)).toMatchObject({ status: 'cancelled' });
    expect(source.seen.length - before).toBeLessThanOrEqual(2);
  });

  it('ProPublica: without a key, all pages, each with its record', async () => {
    const inputs = { q: 'athens', 'state[id]': 'OH' };
    const runId = await begin('propublica-nonprofit', { endpoint: 'search', inputs });
    const run = await runs.done(runId);
    expect(run).toMatchObject({ status: 'complete', connectors_called: [{ calls: 1, failed: 0, requests: 5 }] });
    expect(run.result?.['call']?.value).toMatchObject({ count: 350, pages: 5 });
    const found = await records(runId, 5);
    expect(found.map(({ page, items }) => [page, items])).toEqual([
      [1, 100],
      [2, 100],
      [3, 100],
      [4, 50],
      [5, 0],
    ]);
  });

  it('SEC: the limit of a second is kept over all pages of a call', async () => {
    const source = sources.get('sec-edgar')!;
    const inputs = { 'User-Agent': 'Example Research jane@example.org', q: 'bank' };
    const copy = { id: 'sec-of-one-a-second', limit: { requests_per_second: 1 } };
    const runId = await begin('sec-edgar', { endpoint: 'full_text_search', inputs }, copy);
    const run = await runs.done(runId);
    expect(run).toMatchObject({ status: 'complete', connectors_called: [{ calls: 1, failed: 0, requests: 3 }] });
    expect(run.result?.['call']?.value).toMatchObject({ count: 230 });
    expect(source.seen).toHaveLength(3);
    const left = (await records(runId, 3)).map(({ at }) => Date.parse(at));
    // Requests never come earlier than the source allows.
    for (const [n, at] of left.slice(1).entries()) expect(at - (left[n] ?? 0)).toBeGreaterThan(900);
  });
});
