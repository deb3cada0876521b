import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { AppError } from '../../core/errors/app-error';
import type { OpenSocket } from '../../connectors/kinds/database/access';
import type { SourceClient } from '../../connectors/runtime/source-client';
import { createSourceClient } from '../../connectors/runtime/create-source-client';
import { WaitBudget, type WaitBudgetOptions } from '../../connectors/runtime/limits/wait-budget';
import type { ConnectorRuntime } from '../../connectors/runtime/runtime';
import { SourceWait } from '../../connectors/runtime/limits/source-wait';
import { newCallStats, type CallStats } from '../../connectors/runtime/records/call-stats';
import { ConnectorCallsStore, type CallRecord } from '../../infra/db/stores/connector-calls.store';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { ask, openDirectly, otherDatabase, type Ask, type OtherDatabase } from './connector-database-fixture';
import { testRuntime } from '../support/connector-runtime';
import { openedBy } from '../support/connector-deps';

/** Calls of databases as steps make them, recorded in ours. */
let db: TestDatabase;
let other: OtherDatabase;
let runtime: ConnectorRuntime;
let calls: ConnectorCallsStore;
let origin = '';
beforeAll(async () => {
  db = await testDatabase();
  other = await otherDatabase();
  runtime = testRuntime(db.database, randomUUID());
  calls = new ConnectorCallsStore(db.database);
  const { hostname, port, pathname } = new URL(other.superuser);
  origin = `postgresql://${hostname}:${port}${pathname}`;
});
afterAll(async () => {
  await runtime?.close();
  await other?.close();
  await db?.close();
});
beforeEach(async () => {
  await runtime.recorder.flush();
  await db.admin.query('truncate connector_calls, connector_buckets, connector_bucket_use, connector_breakers');
  await db.admin.query('truncate connector_bindings');
});

const runId = randomUUID();
/** The secret of the fixture has one name: each test takes an owner's bucket and breaker of its own by another. */
const secretOf = (name: string) => ({ auth: { type: 'connection_string' as const, secret: { secret: name } } });

function client(stats: CallStats = newCallStats(), options: Partial<WaitBudgetOptions> = {}): SourceClient {
  const waits = new WaitBudget({ maxWaitMs: 3_600_000, waitedMs: 0, refusals: 0, ...options });
  return createSourceClient({ runtime, waits, stats, by: { ownerId: OWNER, runId, stepPath: 's' } });
}

function call(sql: string, given: Partial<Ask> & { source?: SourceClient } = {}): ReturnType<typeof ask> {
  const { source = client(), deps, connector, ...more } = given;
  const address = other.addressOf('reader');
  const secrets = { resolve: () => Promise.resolve({ value: address, allowedHosts: ['*'] }) };
  return ask(sql, {
    address,
    ...more,
    connector: { ...secretOf(randomUUID()), ...connector },
    deps: { secrets, source, ...deps },
    context: { ownerId: OWNER, ...given.context },
  });
}

async function records(): Promise<CallRecord[]> {
  await runtime.recorder.flush();
  return (await calls.calls(OWNER, 'other')).items;
}

const refusing = (failures: number): { open: OpenSocket; opened: () => number } => {
  let opened = 0;
  return {
    opened: () => opened,
    open: (request) => {
      opened += 1;
      if (opened > failures) return openDirectly(request);
      return Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    },
  };
};

describe('a call of a database leaves a record', () => {
  it('with where, how many rows and bytes, and whose step it was; neither statement nor login', async () => {
    await call(`select id, 'a-value-to-look-for' as text from t`);
    const [record, ...more] = await records();
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      connector: 'other',
      endpoint: 'e',
      run_id: runId,
      step_path: 's',
      origin,
      method: 'QUERY',
      status: null,
      outcome: 'ok',
      items: 2,
      attempt: 1,
      cache: 'none',
      body: null,
    });
    expect(record?.bytes).toBeGreaterThan(2 * 'a-value-to-look-for'.length);
    expect(JSON.stringify(record)).not.toMatch(/a-value-to-look-for|select|pass|reader/);
  });

  it('which does not say where the secret of somebody else leads, nor do a wait, a breaker and a failure', async () => {
    const value = other.addressOf('reader');
    const { hostname, port } = new URL(origin);
    const held = (allowedHosts: string[]) => ({
      secrets: { resolve: () => Promise.resolve({ value, allowedHosts, ownerId: STRANGER }) },
    });
    const theirs = held(['*']);
    const connector = secretOf('theirs');
    const stranger: SourceClient = (request, work, facts) =>
      client()({ ...request, call: { ...request.call, secretOwner: STRANGER } }, work, facts);
    const said = (work: Promise<unknown>): Promise<AppError & SourceWait> =>
      work.then(
        () => Promise.reject(new Error('no failure')),
        (error: AppError & SourceWait) => error,
      );
    const limit = { requests_per_minute: 1 };
    await call('select 1 as n', { source: stranger, connector: { ...connector, rate_limit: limit }, deps: theirs });
    const wait = await said(
      call('select 1 as n', { source: stranger, connector: { ...connector, rate_limit: limit }, deps: theirs }),
    );
    expect(wait).toMatchObject({ name: 'SourceWait', source: 'postgresql' });
    const away = { ...theirs, database: openedBy(refusing(100).open) };
    const failed = await said(call('select 1 as n', { source: stranger, connector, deps: away }));
    expect(failed).toMatchObject({ code: 'upstream_unavailable', message: expect.stringContaining('postgresql') });
    await said(call('select 1 as n', { source: stranger, connector, deps: away }));
    const soon = { timeoutMs: 2000 };
    const open = await said(call('select 1 as n', { source: stranger, connector, deps: away, context: soon }));
    expect(open).toMatchObject({ code: 'upstream_unavailable', details: { breaker: 'open' } });
    const denied = await said(call('select 1 as n', { source: stranger, connector, deps: held(['db.example']) }));
    expect(denied).toMatchObject({ code: 'secret_host_denied' });
    const nobody = new URL(value);
    nobody.username = 'role_of_the_owner';
    const unknown = {
      secrets: { resolve: () => Promise.resolve({ value: nobody.href, allowedHosts: ['*'], ownerId: STRANGER }) },
    };
    const refused = await said(
      call('select 1 as n', { source: stranger, connector: secretOf('nobody'), deps: unknown }),
    );
    expect(refused).toMatchObject({ code: 'auth_failed', message: expect.stringContaining('SQLSTATE 28') });
    const seen = await records();
    expect(new Set(seen.map((record) => record.origin))).toEqual(new Set(['postgresql']));
    for (const { message, details } of [failed, open, denied, refused]) {
      expect(JSON.stringify([message, details])).not.toMatch(new RegExp(`${hostname}|${port}|db.example|role_of`));
    }
    // State of one owner is kept under the place itself.
    const kept = await db.admin.query<{ origin: string }>('select origin from connector_breakers where owner_id = $1', [
      STRANGER,
    ]);
    expect(kept).toEqual([{ origin }]);
  });

  it('with the code of what went wrong', async () => {
    await expect(call('select * from nowhere')).rejects.toMatchObject({ code: 'invalid_sql' });
    expect(await records()).toMatchObject([{ outcome: 'invalid_sql', items: null, bytes: null }]);
  });

  it('for every try, and counts them', async () => {
    const stats = newCallStats();
    await call('select 1 as n', { source: client(stats), deps: { database: openedBy(refusing(2).open) } });
    expect((await records()).map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [3, 'ok'],
      [2, 'upstream_unavailable'],
      [1, 'upstream_unavailable'],
    ]);
    expect(stats).toMatchObject({ requests: 3, failed: 2 });
  });

  it('and health counts it, its latency too', async () => {
    await call('select 1 as n');
    await call('select x').catch(() => undefined);
    await runtime.recorder.flush();
    expect(await calls.health(OWNER, 'other')).toMatchObject({
      calls: 2,
      requests: 2,
      failed: 1,
      error_rate: 0.5,
      latency_p50_ms: expect.any(Number),
      last_error: { code: 'invalid_sql', endpoint: 'e' },
    });
  });
});

describe('the breaker of a database', () => {
  it('opens after failures in a row, for its credential alone, and says so', async () => {
    const connector = secretOf('breaking');
    const never = refusing(Infinity);
    const down = () => call('select 1 as n', { connector, deps: { database: openedBy(never.open) } });
    await expect(down()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(never.opened()).toBe(4);
    await expect(down()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(never.opened()).toBe(5);
    const soon = { timeoutMs: 2000 };
    await expect(call('select 1 as n', { connector, context: soon })).rejects.toMatchObject({
      code: 'upstream_unavailable',
      details: { breaker: 'open', not_sent: true },
    });
    expect(await call('select 1 as n')).toMatchObject({ count: 1 });
    await runtime.recorder.flush();
    const { breakers } = await calls.health(OWNER, 'other');
    expect(breakers).toMatchObject([{ origin, state: 'open', failures: 5 }]);
  });

  it('stays closed for what the database answered', async () => {
    const connector = secretOf('answering');
    for (let n = 0; n < 7; n += 1) {
      await expect(call('select x', { connector })).rejects.toMatchObject({ code: 'invalid_sql' });
    }
    expect(await call('select 1 as n', { connector })).toMatchObject({ count: 1 });
  });
});

describe('the limit of a database', () => {
  const connector = (name: string) => ({ ...secretOf(name), rate_limit: { requests_per_minute: 2 } });

  it('counts for its origin and credential, and a long wait is the run’s', async () => {
    const limited = connector('limited');
    await call('select 1 as n', { connector: limited });
    await call('select 1 as n', { connector: limited });
    const wait = (await call('select 1 as n', { connector: limited }).catch((error: unknown) => error)) as SourceWait;
    expect(wait).toBeInstanceOf(SourceWait);
    expect(wait).toMatchObject({ reason: 'rate_limited', source: origin });
    expect(await records()).toHaveLength(2);
    expect(await call('select 1 as n', { connector: connector('another') })).toMatchObject({ count: 1 });
    expect((await calls.health(OWNER, 'other')).limits).toContainEqual(
      expect.objectContaining({ origin, shared: false, used: { minute: 2 } }),
    );
  });

  it('is refused at once where nobody waits', async () => {
    const limited = connector('hurried');
    const unwaiting = () => client(newCallStats(), { neverWait: true });
    await call('select 1 as n', { connector: limited, source: unwaiting() });
    await call('select 1 as n', { connector: limited, source: unwaiting() });
    await expect(call('select 1 as n', { connector: limited, source: unwaiting() })).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining(new URL(origin).host),
    });
  });
});

describe('the credential of a database', () => {
  it('is known as refused until a call succeeds, and its owner is told once', async () => {
    const connector = secretOf('login');
    const wrong = new URL(other.addressOf('reader'));
    wrong.password = 'wrong';
    const secrets = { resolve: () => Promise.resolve({ value: wrong.href, allowedHosts: ['*'] }) };
    for (let n = 0; n < 2; n += 1) {
      await expect(call('select 1 as n', { connector, deps: { secrets } })).rejects.toMatchObject({
        code: 'auth_failed',
      });
    }
    expect((await calls.health(OWNER, 'other')).credentials).toMatchObject([
      { credential: 'login', state: 'auth_failed', status: null, endpoint: 'e' },
    ]);
    const told = await db.admin.query<{ body: string }>(
      `select body from notifications where kind = 'connector_auth_failed' and owner_id = $1`,
      [OWNER],
    );
    expect(told.map(({ body }) => body)).toEqual([expect.stringContaining('other.e was answered with SQLSTATE 28P01')]);
    await call('select 1 as n', { connector });
    expect((await calls.health(OWNER, 'other')).credentials).toMatchObject([{ credential: 'login', state: 'ok' }]);
  });
});
