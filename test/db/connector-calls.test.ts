import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorCallsStore, type CallRecord } from '../../infra/db/stores/connector-calls.store';
import { ConnectorLimitsStore } from '../../infra/db/stores/connector-limits.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let calls: ConnectorCallsStore;
beforeAll(async () => {
  db = await testDatabase();
  calls = new ConnectorCallsStore(db.database);
});
afterAll(() => db?.close());

function call(more: Partial<CallRecord> = {}): CallRecord {
  return {
    id: randomUUID(),
    owner_id: OWNER,
    connector: 'c',
    version_id: null,
    endpoint: 'list',
    run_id: null,
    step_path: null,
    origin: 'https://api.example',
    method: 'GET',
    status: 200,
    outcome: 'ok',
    latency_ms: 10,
    bytes: 100,
    items: 5,
    cache: 'none',
    attempt: 1,
    page: null,
    body: null,
    at: new Date().toISOString(),
    ...more,
  };
}

describe('records of calls', () => {
  it('come in batches, once each, and are read by their owner in pages, newest first', async () => {
    const connector = `c-${randomUUID()}`;
    const rows = Array.from({ length: 5 }, (_each, n) =>
      call({ connector, page: n + 1, at: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString() }),
    );
    await calls.record(rows);
    await calls.record(rows);
    const first = await calls.calls(OWNER, connector, { limit: 3 });
    const rest = await calls.calls(OWNER, connector, { limit: 3, cursor: first.next_cursor ?? '' });
    expect([...first.items, ...rest.items].map(({ page }) => page)).toEqual([5, 4, 3, 2, 1]);
    expect(rest.next_cursor).toBeNull();
    expect((await calls.calls(STRANGER, connector)).items).toEqual([]);
  });

  it('health is what really left in the last day, with limits, breakers and credentials of the same origins', async () => {
    const connector = `c-${randomUUID()}`;
    const origin = `https://${randomUUID()}.example`;
    const of = (more: Partial<CallRecord>) => call({ connector, origin, ...more });
    const latencies = Array.from({ length: 100 }, (_each, n) => of({ latency_ms: n + 1 }));
    const odd = [
      of({ status: 503, outcome: 'upstream_unavailable', latency_ms: 1000 }),
      of({ status: null, outcome: 'upstream_timeout', latency_ms: 30_000 }),
      of({ cache: 'hit', latency_ms: 0 }),
      of({ cache: 'stale', latency_ms: 0 }),
      of({ at: new Date(Date.now() - 2 * 86_400_000).toISOString(), outcome: 'auth_failed', status: 401 }),
      of({ owner_id: STRANGER, outcome: 'auth_failed', status: 401 }),
    ];
    await calls.record([...latencies, ...odd]);
    const bucket = { key: randomUUID(), ownerId: OWNER, common: false, origin };
    await new ConnectorLimitsStore(db.database).lease(bucket, { own: [['hour', 10]], shipped: [] }, 4);
    await new ConnectorBindingsStore(db.database).refused({
      ownerId: OWNER,
      connector,
      credential: 'key',
      status: 401,
      endpoint: 'list',
    });
    const health = await calls.health(OWNER, connector);
    expect(health).toMatchObject({
      calls: 104,
      requests: 102,
      failed: 2,
      error_rate: 0.0196,
      cache_hits: 1,
      stale_answers: 1,
      latency_p50_ms: 51,
      latency_p95_ms: 96,
      limits: [{ origin, shared: false, blocked_until: null, used: { hour: 4 } }],
      breakers: [],
      credentials: [{ credential: 'key', state: 'auth_failed', status: 401, endpoint: 'list' }],
    });
    expect(await calls.health(OWNER, 'never-called')).toMatchObject({
      calls: 0,
      latency_p50_ms: null,
      error_rate: null,
    });
  });

  it('go after their time', async () => {
    const connector = `c-${randomUUID()}`;
    const old = new Date(Date.now() - 40 * 86_400_000).toISOString();
    await calls.record([call({ connector, at: old }), call({ connector })]);
    await calls.sweep(30, 1000);
    expect((await calls.calls(OWNER, connector)).items).toHaveLength(1);
  });
});

describe('the state of a credential', () => {
  it('tells its owner of the first refusal, and of a later one once an hour at most', async () => {
    const bindings = new ConnectorBindingsStore(db.database);
    const connector = `c-${randomUUID()}`;
    const report = { ownerId: OWNER, connector, credential: 'key', status: 401, endpoint: 'list' };
    const told = async () =>
      (
        await db.admin.query(`select 1 from notifications where kind = 'connector_auth_failed' and title like $1`, [
          `%${connector}%`,
        ])
      ).length;
    expect(await bindings.accepted(OWNER, connector, 'key')).toBe(false);
    expect(await bindings.refused(report)).toBe(true);
    expect(await bindings.refused(report)).toBe(false);
    expect(await told()).toBe(1);
    expect(await bindings.states(OWNER, connector)).toMatchObject([
      { credential: 'key', state: 'auth_failed', status: 401 },
    ]);
    expect(await bindings.states(STRANGER, connector)).toEqual([]);
    expect(await bindings.accepted(OWNER, connector, 'key')).toBe(true);
    expect(await bindings.states(OWNER, connector)).toMatchObject([{ state: 'ok', status: null }]);
    // State that alternates: it changes each time, and the owner has been told.
    for (let no = 0; no < 3; no++) {
      expect(await bindings.refused(report)).toBe(true);
      expect(await bindings.accepted(OWNER, connector, 'key')).toBe(true);
    }
    expect(await bindings.refused(report)).toBe(true);
    expect(await told()).toBe(1);
    await db.admin.query(
      `update connector_bindings set notified_at = notified_at - interval '61 minutes' where connector = $1`,
      [connector],
    );
    // The failure is younger than what the owner was told, and lasts.
    expect(await bindings.refused(report)).toBe(false);
    expect(await told()).toBe(2);
    expect(await bindings.refused(report)).toBe(false);
    expect(await told()).toBe(2);
  });

  it('is one for each credential', async () => {
    const bindings = new ConnectorBindingsStore(db.database);
    const connector = `c-${randomUUID()}`;
    const report = { ownerId: OWNER, connector, status: 403, endpoint: 'list' };
    await Promise.all(['a', 'b', 'a', 'b', 'a'].map((credential) => bindings.refused({ ...report, credential })));
    const told = await db.admin.query(`select 1 from notifications where title like $1`, [`%${connector}%`]);
    expect(told).toHaveLength(2);
  });
});

describe('a run', () => {
  const source = (no: number, more: object) => ({
    id: `s:n:1:${no}`,
    type: 'source.called',
    step_path: 's',
    payload: {
      connector: 'fec',
      endpoint: 'list',
      outcome: 'ok',
      requests: 2,
      requests_failed: 0,
      from_cache: 0,
      ...more,
    },
  });

  it('sums its sources up when it closes, each with what failed', async () => {
    const runId = await seedRun(db.database);
    await new StepHotPath(db.database).step(runId, {
      events: [
        source(1, {}),
        source(2, { outcome: 'upstream_unavailable', requests: 4 }),
        source(3, { stale_seconds: 60, requests: 1 }),
        source(4, { connector: 'edgar', endpoint: 'filings' }),
      ],
    });
    const runs = new RunsStore(db.database);
    expect((await runs.require(OWNER, runId)).connectors_called).toEqual([]);
    await new TransitionsStore(db.database).finish(runId, {
      status: 'partial',
      events: [],
      result: {},
      journal: { summary: 's', outputs_produced: [] },
    });
    expect((await runs.require(OWNER, runId)).connectors_called).toEqual([
      { connector: 'edgar', endpoint: 'filings', calls: 1, failed: 0, requests: 2, stale: 0 },
      { connector: 'fec', endpoint: 'list', calls: 3, failed: 1, requests: 7, stale: 1 },
    ]);
  });

  it('names calls whose outcome a person told, and none that the run before made', async () => {
    const runId = await seedRun(db.database);
    const hot = new StepHotPath(db.database);
    const steps = new StepsStore(db.database);
    const send = async (step_path: string, target: string): Promise<void> => {
      const key = { effect_key: `${runId}/${step_path}`, try_no: 1 };
      await hot.step(runId, { begin: { ...key, step_path, worker: 'a' } });
      await hot.effectSent(runId, { ...key, worker: 'a', effect: 'unsafe', target });
    };
    await send('told', 'crm.add_note: POST crm.example');
    await send('again', 'crm.add_note: POST crm.example');
    await send('never', 'mail.send: POST mail.example');
    await send('open', 'mail.send: POST mail.example');
    await send('file', 'file report.md: POST');
    await send('before', 'old.send: POST old.example');
    await db.admin.query(
      `update step_attempts set effect_sent_at = effect_sent_at - interval '1 day' where run_id = $1 and step_path = 'before'`,
      [runId],
    );
    for (const path of ['told', 'again', 'file', 'before']) await steps.resolve(OWNER, runId, path, 'done');
    await steps.resolve(OWNER, runId, 'never', 'not_done');
    await hot.step(runId, { events: [source(1, { connector: 'crm', endpoint: 'add_note' })] });
    await new TransitionsStore(db.database).finish(runId, { status: 'complete', events: [], result: {} });
    expect((await new RunsStore(db.database).require(OWNER, runId)).connectors_called).toEqual([
      { connector: 'crm', endpoint: 'add_note', calls: 3, failed: 0, requests: 4, stale: 0 },
      { connector: 'mail', endpoint: 'send', calls: 1, failed: 1, requests: 1, stale: 0 },
    ]);
  });

  it('a step that waits for its source loses no worker, and its unsafe request may leave again', async () => {
    const runId = await seedRun(db.database);
    const steps = new StepHotPath(db.database);
    const key = { effect_key: 'k', try_no: 1 };
    const begin = () => steps.step(runId, { begin: { ...key, step_path: 's', worker: 'a' } });
    const send = () => steps.effectSent(runId, { ...key, worker: 'a', effect: 'unsafe', target: 't' });
    await begin();
    expect(await send()).toMatchObject({ sent: true });
    await steps.waitStep(runId, { ...key, worker: 'b', not_done: true });
    expect(await send()).toMatchObject({ sent: false, reason: 'outcome_unknown' });
    await steps.waitStep(runId, { ...key, worker: 'a', not_done: true });
    expect((await begin()).begun).toMatchObject({ starts: 2, losses: 0 });
    expect(await send()).toMatchObject({ sent: true });
    expect(await send()).toMatchObject({ sent: false, reason: 'outcome_unknown' });
  });
});
