import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { startRawServer, type RawServer } from '../support/raw-server';
import { waitUntil } from '../support/wait-until';
import { callStep, connectorOf, noteStep, SOMEBODY_ELSE, startSourceRuns, type SourceRuns } from './source-runs';

/** Time of a step: long enough for everything else that must happen meanwhile. */
const STEP_SECONDS = 25;
const GOOD = '[{"n": 1}, {"n": 2}]';
const DRIP_MS = 100;

let letGo: () => void = () => undefined;
const released = new Promise<void>((resolve) => (letGo = resolve));

/** Behaviour of the source at its slow address. */
const BEHAVIOURS: Record<string, (socket: Socket) => void> = {
  'F16a headers byte by byte': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    const drip = setInterval(() => socket.write('x'), DRIP_MS);
    socket.on('close', () => clearInterval(drip));
  },
  'F16c it accepts and stays silent': () => undefined,
  'F16d it resets in the middle of the body': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n[{"n": 1},`);
    void released.then(() => socket.resetAndDestroy());
  },
};
const NAMES = Object.keys(BEHAVIOURS);

interface Slow {
  server: RawServer;
  connector: string;
  runId: string;
  /** Run of the same owner and origin; it gets the only slot once the slow call has released it. */
  behind: string;
}
const slow = new Map<string, Slow>();
let good: HttpSource;
let runs: SourceRuns;
let other: string;

beforeAll(async () => {
  good = await startHttpSource((_request, response) => sendJson(response, [{ n: 1 }]));
  const servers = await Promise.all(NAMES.map((name) => startRawServer(speaking(BEHAVIOURS[name]!))));
  runs = await startSourceRuns([good.port, ...servers.map(({ port }) => port)]);
  for (const [at, name] of NAMES.entries()) slow.set(name, await begin(servers[at]!, `slow-${at}`));
  const quick = connectorOf(
    `{id: quick, type: rest_api, connection: {base_url: "${good.url}"}, endpoints: {list: {path: /list}}}`,
  );
  const steps = ['one', 'two', 'three'].map((step) => callStep(step, { connector: 'quick', endpoint: 'list' }));
  other = await runs.begin({ owner: SOMEBODY_ELSE, connector: quick, steps });
});
afterAll(async () => {
  letGo();
  await runs?.close();
  await Promise.all([good?.close(), ...[...slow.values()].map(({ server }) => server.close())]);
});

/** One answer a connection, by its path. */
function speaking(manner: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) =>
    void socket.once('data', (chunk: Buffer) => {
      if (chunk.toString().startsWith('GET /slow')) return manner(socket);
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${GOOD.length}\r\nConnection: close\r\n\r\n${GOOD}`,
      );
    });
}

/** A run in its slow step, and another one that waits for the only slot. */
async function begin(server: RawServer, id: string): Promise<Slow> {
  const connector = connectorOf(
    `{id: ${id}, type: rest_api, connection: {base_url: "${server.url}", timeout_seconds: 600, rate_limit: {concurrency: 1}}, endpoints: {slow: {path: /slow}, good: {path: /good}}}`,
  );
  const runId = await runs.begin({
    connector,
    steps: [
      callStep('slow', { connector: id, endpoint: 'slow' }, `timeout_seconds: ${STEP_SECONDS}, on_error: skip`),
      callStep('next', { connector: id, endpoint: 'good' }),
      noteStep('{slow.status} with {slow.error.code}, then {next.count}'),
    ],
  });
  await waitUntil('the slow call', () => server.open() > 0);
  const behind = await runs.begin({ connector, steps: [callStep('waits', { connector: id, endpoint: 'good' })] });
  return { server, connector: id, runId, behind };
}

/** True if a step ended before another run did, by the clock of the database. */
async function endedBefore(step: { runId: string; path: string }, runId: string): Promise<unknown> {
  const [row] = await runs.stack.admin.query<{ before: boolean }>(
    `select s.finished_at < r.finished_at as before from step_results s, runs r
      where s.run_id = $1 and s.step_path = $2 and r.id = $3`,
    [step.runId, step.path, runId],
  );
  return row?.before;
}

describe('a source that is slow', () => {
  it('keeps nobody else: the run of another owner on the same worker ends first', async () => {
    expect(await runs.done(other, SOMEBODY_ELSE)).toMatchObject({ status: 'complete', steps_done: 3 });
    letGo();
    for (const { runId } of slow.values()) {
      await runs.done(runId);
      expect(await endedBefore({ runId, path: 'slow' }, other)).toBe(false);
    }
  });

  it.each(NAMES)('%s: the step ends by its own time, lets go of socket and slot, and the run goes on', async (name) => {
    const { runId, behind, server, connector } = slow.get(name)!;
    const run = await runs.done(runId);
    const [failed] = await runs.stack.admin.query<{ error: { code: string } }>(
      `select error from step_results where run_id = $1 and step_path = 'slow'`,
      [runId],
    );
    expect(failed?.error.code).toMatch(/^(upstream_timeout|upstream_unavailable|step_timeout)$/);
    expect(run).toMatchObject({ status: 'partial' });
    const called = run.connectors_called.map(({ endpoint, calls, failed: lost }) => ({ endpoint, calls, lost }));
    expect(called).toContainEqual({ endpoint: 'slow', calls: 1, lost: 1 });
    expect(called).toContainEqual({ endpoint: 'good', calls: 1, lost: 0 });
    const notes = await runs.stack.admin.query<{ summary: string }>(
      `select summary from journal_entries where run_id = $1 and kind <> 'run'`,
      [runId],
    );
    expect(notes).toEqual([{ summary: `failed with ${failed?.error.code ?? ''}, then 2` }]);
    // The one that waited for the slot came after it, and through.
    expect(await runs.done(behind)).toMatchObject({
      status: 'complete',
      connectors_called: [{ connector, failed: 0 }],
    });
    await waitUntil('the end of all connections', () => server.open() === 0);
  });
});
