import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mask } from '../../../infra/secrets/mask';
import type { Exchange } from '../../../connectors/http/exchange';
import { SourceWait } from '../../../connectors/runtime/limits/source-wait';
import { ConnectorBindingsStore } from '../../../infra/db/stores/connector-bindings.store';
import { ConnectorCallsStore } from '../../../infra/db/stores/connector-calls.store';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from '../../db/db-fixture';
import {
  broken,
  exchange,
  reply,
  silent,
  startScript,
  startWorker,
  type Reply,
  type Script,
  type TestWorker,
} from '../runtime/runtime-fixture';

let db: TestDatabase;
let source: Script;
let worker: TestWorker;
beforeAll(async () => {
  db = await testDatabase();
  source = await startScript();
  worker = startWorker(db.database, source);
});
afterAll(async () => {
  await worker?.close();
  await source?.close();
  await db?.close();
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: { code?: string; name?: string }) => error.code ?? error.name ?? '',
  );

describe('repeats', () => {
  it.each<[string, Reply[], Partial<Exchange>, { status: number | string; sent: number }]>([
    ['F15a 5xx three times, then 200', [reply(503), reply(500), reply(502), reply(200)], {}, { status: 200, sent: 4 }],
    ['5xx for ever: four attempts', [reply(503)], {}, { status: 503, sent: 4 }],
    ['F16d a connection that breaks twice', [broken, broken, reply(200)], {}, { status: 200, sent: 3 }],
    ['a connection that always breaks', [broken], {}, { status: 'upstream_unavailable', sent: 4 }],
    ['an idempotent effect', [reply(503), reply(200)], { effect: 'idempotent' }, { status: 200, sent: 2 }],
    ['a keyed effect', [reply(503), reply(200)], { effect: 'keyed' }, { status: 200, sent: 2 }],
    ['never an unsafe one: 5xx', [reply(500), reply(200)], { effect: 'unsafe' }, { status: 500, sent: 1 }],
    [
      'never an unsafe one: broken',
      [broken, reply(200)],
      { effect: 'unsafe' },
      { status: 'upstream_unavailable', sent: 1 },
    ],
    ['not 501', [reply(501), reply(200)], {}, { status: 501, sent: 1 }],
    ['not 404', [reply(404), reply(200)], {}, { status: 404, sent: 1 }],
    ['not 400', [reply(400), reply(200)], {}, { status: 400, sent: 1 }],
    ['not 401', [reply(401), reply(200)], {}, { status: 401, sent: 1 }],
    ['408', [reply(408), reply(200)], {}, { status: 200, sent: 2 }],
  ])('%s', async (_name, replies, more, expected) => {
    source.play(...replies);
    const asked = exchange(source, more);
    const status = await worker.call(asked).then(
      ({ response, attempts }) => {
        expect(attempts).toBe(expected.sent);
        return response.status;
      },
      (error: { code: string; details: object }) => {
        if (expected.sent > 1) expect(error.details).toMatchObject({ attempts: expected.sent });
        return error.code;
      },
    );
    expect({ status, sent: source.seen.length }).toEqual(expected);
  });

  it('a time-out once more, with double the time', async () => {
    const arrived: number[] = [];
    const late: Reply = () => void arrived.push(Date.now());
    source.play(late);
    const asked = exchange(source);
    asked.request.timeoutMs = 300;
    expect(await codeOf(worker.call(asked))).toBe('upstream_timeout');
    const ended = Date.now();
    expect(source.seen).toHaveLength(2);
    expect(ended - (arrived[1] ?? 0)).toBeGreaterThan(500);
  });

  it('F16c nothing goes on past the step’s time', async () => {
    source.play(silent);
    const asked = exchange(source, { deadline: Date.now() + 900 });
    asked.request.timeoutMs = 700;
    const began = Date.now();
    expect(await codeOf(worker.call(asked))).toBe('upstream_timeout');
    expect(Date.now() - began).toBeLessThan(2900);
    source.play(reply(503));
    await worker.call(exchange(source, { deadline: Date.now() + 100 }));
    expect(source.seen.length).toBeLessThan(4);
  });

  it('end with a cancel, whatever they were doing', async () => {
    source.play(reply(503));
    const stop = new AbortController();
    const asked = exchange(source, { signal: stop.signal });
    const call = worker.call(asked);
    await until(() => source.seen.length === 1);
    stop.abort(new Error('cancelled by a person'));
    await expect(call).rejects.toThrow('cancelled by a person');
  });
});

describe('waits that the source asks for', () => {
  it('a short one is slept, and the call goes on', async () => {
    source.play(reply(429, { 'retry-after': '1' }), reply(200));
    const at = [] as number[];
    const call = await worker.call(exchange(source));
    expect([call.response.status, source.seen.length, at.length]).toEqual([200, 2, 0]);
    expect(call.stats).toMatchObject({ requests: 2, failed: 1 });
  });

  it.each<[string, () => Record<string, string>, number]>([
    ['F14a seconds', () => ({ 'retry-after': '30' }), 30_000],
    ['F14b a date', () => ({ 'retry-after': new Date(Date.now() + 30_999).toUTCString() }), 29_000],
    ['a reset header', () => ({ 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 30) }), 29_000],
    ['a day', () => ({ 'retry-after': '3000' }), 3_000_000],
  ])('a long one ends the call for now: %s', async (_name, headers, atLeast) => {
    source.play(reply(429, headers()));
    const before = Date.now();
    const wait = await worker.call(exchange(source)).catch((error: unknown) => error);
    expect(wait).toBeInstanceOf(SourceWait);
    const { until: end, reason, source: origin } = wait as SourceWait;
    expect({ reason, origin }).toEqual({ reason: 'rate_limited', origin: source.url });
    expect(end - before).toBeGreaterThanOrEqual(atLeast);
    // Limit: a fifth longer, so that not all come back together, plus the date's rounding.
    expect(end - before).toBeLessThan(atLeast * 1.2 + 3000);
  });

  it('503 that says until when is a wait; one that does not is a failure', async () => {
    source.play(reply(503, { 'retry-after': '60' }));
    await expect(worker.call(exchange(source))).rejects.toThrow(SourceWait);
    expect(source.seen).toHaveLength(1);
  });

  it('an unsafe request that was refused may leave again', async () => {
    source.play(reply(429, { 'retry-after': '1' }), reply(200));
    expect((await worker.call(exchange(source, { effect: 'unsafe' }))).response.status).toBe(200);
  });

  it.each([
    ['Retry-After', { 'retry-after': '1' }, 200, 2],
    ['a reset header alone', { 'x-ratelimit-reset': '1' }, 503, 1],
    ['the combined header alone', { ratelimit: 'limit=10, remaining=0, reset=1' }, 503, 1],
    ['a Retry-After that says nothing', { 'retry-after': 'soon', 'ratelimit-reset': '1' }, 503, 1],
  ])('an unsafe request leaves again after 503 only with Retry-After: %s', async (_name, headers, status, sent) => {
    source.play(reply(503, headers), reply(200));
    const done = await worker.call(exchange(source, { effect: 'unsafe' }));
    expect({ status: done.response.status, sent: source.seen.length }).toEqual({ status, sent });
  });

  it('others of the same credential do not ask meanwhile, others of another do', async () => {
    source.play(reply(429, { 'retry-after': '60' }), reply(200));
    const asked = exchange(source);
    await expect(worker.call(asked)).rejects.toThrow(SourceWait);
    await expect(worker.call(asked)).rejects.toThrow(SourceWait);
    const other = startWorker(db.database, source);
    await expect(other.call(asked)).rejects.toThrow(SourceWait);
    expect(source.seen).toHaveLength(1);
    expect((await other.call(exchange(source))).response.status).toBe(200);
    await other.close();
  });

  it('the last answer of a quota closes the door before the source has to', async () => {
    source.play(reply(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '90' }));
    const asked = exchange(source);
    expect((await worker.call(asked)).response.status).toBe(200);
    await expect(worker.call(asked)).rejects.toMatchObject({ name: 'SourceWait', reason: 'quota_used_up' });
    expect(source.seen).toHaveLength(1);
  });

  it.each<[string, { neverWait?: boolean; maxWaitMs?: number; waitedMs?: number }]>([
    ['where nobody waits', { neverWait: true }],
    ['beyond max_wait_seconds', { maxWaitMs: 20_000 }],
    ['beyond max_wait_seconds with what was waited before', { maxWaitMs: 40_000, waitedMs: 11_000 }],
  ])('%s it is `rate_limited` with the time', async (_name, options) => {
    source.play(reply(429, { 'retry-after': '30' }));
    await expect(worker.call(exchange(source), options)).rejects.toMatchObject({
      code: 'rate_limited',
      category: 'rate_limited',
      details: { retry_after: 30, retry_after_ms: 30_000 },
    });
  });

  it('that would not fit into the step’s time are the run’s, however short', async () => {
    source.play(reply(429, { 'retry-after': '2' }));
    await expect(worker.call(exchange(source, { deadline: Date.now() + 2500 }))).rejects.toThrow(SourceWait);
  });
});

/** Room for two clocks, that of the database and that of the process. */
const CLOCKS_DIFFER_MS = 20;

describe('limits that the connector declares', () => {
  it('two workers share them', async () => {
    source.play(reply(200));
    const other = startWorker(db.database, source);
    const asked = exchange(source, { rateLimit: { requests_per_minute: 7 } });
    const both = [worker, other];
    const calls = Array.from({ length: 20 }, (_each, n) => codeOf(both[n % 2]!.call(asked)));
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((code) => code === 'ok')).toHaveLength(7);
    expect(outcomes.filter((code) => code === 'SourceWait')).toHaveLength(13);
    expect(source.seen).toHaveLength(7);
    await other.close();
  });

  it('in no second more than allowed, though all come at once', async () => {
    const arrived: number[] = [];
    source.play((response) => {
      arrived.push(Date.now());
      response.end('{}');
    });
    const other = startWorker(db.database, source);
    const asked = exchange(source, { rateLimit: { requests_per_second: 5 } });
    const begun = Date.now();
    await Promise.all(Array.from({ length: 14 }, (_each, n) => (n % 2 === 0 ? worker : other).call(asked)));
    expect(arrived).toHaveLength(14);
    // A busy machine lets requests arrive later than they were sent, never sooner.
    const early = arrived.filter((at, n) => at < begun + Math.floor(n / 5) * 1_000 - CLOCKS_DIFFER_MS);
    expect(early).toEqual([]);
    await other.close();
  });

  it('no more calls in flight than allowed, over all workers', async () => {
    let inFlight = 0;
    let most = 0;
    source.play((response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.end('{}');
      }, 30);
    });
    const other = startWorker(db.database, source);
    const asked = exchange(source, { rateLimit: { concurrency: 2 } });
    const calls = Array.from({ length: 12 }, (_each, n) => (n % 2 === 0 ? worker : other).call(asked));
    expect((await Promise.all(calls)).map(({ response }) => response.status)).toEqual(Array(12).fill(200));
    expect(most).toBeLessThanOrEqual(2);
    await other.close();
  });

  it('of an origin that is asked without a credential, an owner whose definition allows many leaves the others their share', async () => {
    const shared = await startScript();
    // Limits that the catalogue gives for a known origin.
    const shipped = (origin: string) => Promise.resolve(origin === shared.url ? { concurrency: 2 } : undefined);
    const workers = [
      startWorker({ database: db.database, shipped }, shared),
      startWorker({ database: db.database, shipped }, shared),
    ] as const;
    const keyless = (ownerId: string, concurrency: number): Exchange => {
      const { credential: _none, ...asked } = exchange(shared, { ownerId, rateLimit: { concurrency } });
      return { ...asked, request: { ...asked.request, headers: { 'x-owner': ownerId } } };
    };
    const [greedy, modest] = [keyless(OWNER, 50), keyless(STRANGER, 2)];
    shared.play(reply(200));
    for (const asked of [modest, greedy]) await workers[0].call(asked);
    let inFlight = 0;
    let most = 0;
    const served: string[] = [];
    shared.play((response, { headers }) => {
      served.push(String(headers['x-owner']));
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.end('{}');
      }, 20);
    });
    const enough = new AbortController();
    const endless = workers.map(async (one) => {
      while (!enough.signal.aborted) await Promise.all(Array.from({ length: 8 }, () => one.call(greedy)));
    });
    await until(() => served.length >= 8);
    const statuses = await Promise.all([1, 2, 3].map((n) => workers[n % 2 === 0 ? 0 : 1].call(modest)));
    enough.abort();
    await Promise.all(endless);
    expect(statuses.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    expect(most).toBeLessThanOrEqual(2);
    await Promise.all(workers.map((one) => one.close()));
    await shared.close();
  });
});

describe('a refused credential', () => {
  it('is known to its owner until one is taken again', async () => {
    const bindings = new ConnectorBindingsStore(db.database);
    const asked = exchange(source, { connector: { id: 'refused' }, credential: { name: 'key', version: '1' } });
    const states = async () => (await bindings.states(OWNER, 'refused')).map(({ state }) => state);
    source.play(reply(403));
    expect((await worker.call(asked)).response.status).toBe(403);
    expect(await states()).toEqual(['auth_failed']);
    source.play(reply(200));
    await worker.call(asked);
    expect(await states()).toEqual(['ok']);
  });

  it('says nothing while the caller can get another token', async () => {
    const asked = exchange(source, { connector: { id: 'tokens' }, refreshable: true });
    source.play(reply(401));
    expect((await worker.call(asked)).response.status).toBe(401);
    expect(await new ConnectorBindingsStore(db.database).states(OWNER, 'tokens')).toEqual([]);
  });
});

describe('an answer from elsewhere, after a redirect', () => {
  it('shuts no bucket, and says nothing of the credential', async () => {
    const other = await startScript();
    const both = startWorker(db.database, source, other);
    const far: Reply = (response) => response.writeHead(302, { location: `${other.url}/far` }).end();
    const asked = exchange(source, { connector: { id: 'elsewhere' } });
    source.play(far, far, reply(200));
    other.play(reply(429, { 'retry-after': '2678400' }), reply(403));
    const statuses = [];
    for (let no = 0; no < 3; no++) statuses.push((await both.call(asked, { unread: true })).response.status);
    expect(statuses).toEqual([429, 403, 200]);
    expect(await new ConnectorBindingsStore(db.database).states(OWNER, 'elsewhere')).toEqual([]);
    await Promise.all([both.close(), other.close()]);
  });
});

describe('a request beside the call', () => {
  it('says nothing of the credentials of the connector, whatever it is answered', async () => {
    const states = () => new ConnectorBindingsStore(db.database).states(OWNER, 'beside');
    for (const status of [401, 403]) {
      source.play(reply(status));
      const done = await worker.call(exchange(source, { connector: { id: 'beside' }, aside: true }));
      expect(done.response.status).toBe(status);
    }
    expect(await states()).toEqual([]);
  });
});

describe('an answer that refuses in its body', () => {
  it('is told to the owner as a 401 is, and counts as no success', async () => {
    const states = async () =>
      (await new ConnectorBindingsStore(db.database).states(OWNER, 'in-body')).map(({ state }) => state);
    const asked = exchange(source, { connector: { id: 'in-body' }, credential: { name: 'key', version: '1' } });
    source.play(reply(200));
    const done = await worker.call(asked, { unread: true });
    await done.refused?.('everything');
    expect(await states()).toEqual(['auth_failed']);
    await worker.call(asked, { unread: true });
    expect(await states()).toEqual(['auth_failed']);
    await worker.call(asked);
    expect(await states()).toEqual(['ok']);
  });
});

describe('records', () => {
  it('every request leaves one, with its place and outcome, and bodies only masked and on demand', async () => {
    source.play(reply(503), reply(200, {}, '{"secret":"hunter2"}'));
    const mask = new Mask(['hunter2']);
    const asked = exchange(source, { connector: { id: 'recorded' }, page: 3, mask });
    const by = { runId: '00000000-0000-4000-8000-0000000000aa', stepPath: 'a/b', keepBodies: true };
    await worker.call(asked, { by });
    await worker.call({ ...asked, path: '/quiet' } as Exchange);
    await worker.runtime.recorder.flush();
    const { items } = await new ConnectorCallsStore(db.database).calls(OWNER, 'recorded');
    const inOrder = items.toReversed();
    expect(inOrder).toMatchObject([
      { status: 503, outcome: 'upstream_unavailable', attempt: 1, page: 3, items: null, cache: 'none' },
      { status: 200, outcome: 'ok', attempt: 2, items: 42, run_id: by.runId, step_path: 'a/b', origin: source.url },
      { status: 200, outcome: 'ok', attempt: 1, body: null },
    ]);
    expect(inOrder[1]?.body).toBe('{"secret":"[masked]"}');
    expect(inOrder[1]?.bytes).toBe(20);
  });
});

async function until(test: () => boolean): Promise<void> {
  while (!test()) await sleep(5);
}
