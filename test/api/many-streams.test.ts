import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { TEST_MASTER_KEYS } from '../support/keys';
import { NOBODY, PREFIX, startApi, startRun, type TestApi } from './api-fixture';

const ROOT = join(__dirname, '../..');
const STREAMS = 1_000;
const MOST_MB = 150;
const POOL = 5;

/** Makes the schema and the runs; the process that is measured is another one. */
let api: TestApi;
let child: ChildProcess;
let url: string;
beforeAll(async () => {
  api = await startApi();
  const hooks = ['gc-on-signal.cjs', 'ts-hook.cjs'].flatMap((name) => ['-r', join(ROOT, 'test/support', name)]);
  child = spawn(process.execPath, ['--expose-gc', ...hooks, join(ROOT, 'src/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      TEMPORAL_ADDRESS: NOBODY,
      AF_LOG_LEVEL: 'fatal',
      AF_MASTER_KEYS: TEST_MASTER_KEYS,
      DATABASE_URL: api.databaseUrl,
      AF_DB_POOL: String(POOL),
      AF_PORT: '41900',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = (await said(/^api ready (\S+)$/m))[1] ?? '';
});
afterAll(async () => {
  child.kill('SIGTERM');
  await once(child, 'exit');
  await api.close();
});

function said(what: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const hear = (chunk: Buffer): void => {
      text += String(chunk);
      const found = what.exec(text);
      if (found !== null) {
        child.stdout?.off('data', hear);
        resolve(found);
      }
    };
    child.stdout?.on('data', hear);
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)));
  });
}

async function heldMb(): Promise<number> {
  const collected = said(/^collected$/m);
  child.kill('SIGUSR2');
  await collected;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024;
}

interface Stream {
  text: string;
  response: IncomingMessage;
}
async function answered(path: string): Promise<IncomingMessage> {
  for (;;) {
    const asked = request(`${url}${PREFIX}${path}`, { agent: false, headers: api.headers });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    // Repeats a call that gets 503 because all connections are held for a moment, as on a busy machine.
    if (response.statusCode !== 503 || response.headers['retry-after'] === undefined) return response;
    response.resume();
    await sleep(200);
  }
}

async function open(path: string): Promise<Stream> {
  const response = await answered(path);
  expect(response.statusCode).toBe(200);
  const stream = { text: '', response };
  response.on('data', (chunk: Buffer) => (stream.text += String(chunk)));
  response.on('error', () => undefined);
  return stream;
}

async function untilAll(streams: readonly Stream[], test: (text: string) => boolean): Promise<void> {
  while (!streams.every(({ text }) => test(text))) await sleep(50);
}

it(`${STREAMS} open streams hold at most ${MOST_MB} MB, and no connection of the database`, async () => {
  const runs = await Promise.all(Array.from({ length: 10 }, () => startRun(api)));
  const transitions = new TransitionsStore(api.database);
  const emit = async (id: string): Promise<void> => {
    const payload = { step: 'a', action: 'x', try_no: 1, attempt: 1 };
    const event = { id, type: 'step.started', step_path: 'a', payload };
    await Promise.all(runs.map((runId) => transitions.apply(runId, { events: [event] })));
  };
  const paths = (index: number): string => (index % 2 === 0 ? '/events' : `/runs/${runs[(index >> 1) % 10]}/events`);
  // Warms up: the code that the first streams load is no cost of a stream.
  const warm = await Promise.all([open(paths(0)), open(paths(1))]);
  await emit('warm');
  await untilAll(warm, (text) => text.includes('event: step.started'));
  warm.forEach(({ response }) => response.destroy());
  const before = await heldMb();

  const streams: Stream[] = [];
  while (streams.length < STREAMS) {
    streams.push(...(await Promise.all(Array.from({ length: 100 }, (_, no) => open(paths(streams.length + no))))));
  }
  for (let count = 0; count < 5; count += 1) await emit(`e${count}`);
  await untilAll(streams, (text) => text.split('event: step.started').length > 5);
  const held = (await heldMb()) - before;
  const [connections] = await api.admin.query<{ count: number }>(
    `select count(*) from pg_stat_activity where datname = current_database()
      and application_name in ('agent-factory-api', 'agent-factory-listen')`,
  );
  streams.forEach(({ response }) => response.destroy());
  expect(held).toBeLessThanOrEqual(MOST_MB);
  // Connections of the process, and the two listeners.
  expect(connections?.count).toBeLessThanOrEqual(POOL + 2);
});
