import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, renameSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { runStart, type RunStart } from '../../infra/temporal/run-start';
import { LONGEST_START, WorkerStarts, type StartAnswer } from '../../infra/temporal/worker-starts';
import type { PlaybookRunInput } from '../../workflows/types';
import { startInProcess, type InProcess } from '../support/in-process';
import { newFolder } from '../support/run-folder';
import { historyOf } from '../workflows/scale-fixture';
import { startApiOf, type TestApi } from './api-fixture';

/** Runs that the worker of this machine starts, over its socket; and runs that it does not start, which begin all the same. */
let product: InProcess;
let api: TestApi;
let socket: string;
const ends: (() => void)[] = [];
const SETTINGS = { queuePrefix: '', heartbeatTimeoutMs: 1_000, continueAsNewEvents: 1_000, searchAttributes: false };
beforeAll(async () => {
  socket = path.join(newFolder('starts'), 'starts.sock');
  product = await startInProcess();
  api = await startApiOf(product, { AF_START_SOCKET: socket });
  await product.save(
    'id: one\nname: One\ninputs: [{name: text, type: string}]\nsteps:\n  - {name: after, step_type: tool, action: transform_data, inputs: {data: [{n: 1}]}, operations: [{type: compute, as: m, expression: "{n}"}]}\n',
  );
});
afterEach(() => ends.splice(0).forEach((end) => end()));
afterAll(async () => {
  await api?.close();
  await product?.close();
});

async function serve(running?: () => boolean): Promise<void> {
  ends.push(await product.takeStarts(socket, running));
}

/** Foreign server at the socket: `takes` each connection. */
async function stranger(takes: (from: Socket) => void = () => undefined): Promise<void> {
  const open = new Set<Socket>();
  const server = createServer((from) => {
    open.add(from.on('error', () => undefined));
    takes(from);
  });
  server.listen(socket);
  await once(server, 'listening');
  ends.push(() => {
    server.close();
    open.forEach((each) => each.destroy());
  });
}

/** A run to its end; whether its first workflow task came with its start. */
async function run(inputs: object = {}): Promise<{ runId: string; eager: boolean }> {
  const { status, body } = await api.call('POST', '/runs?wait=60', { playbook: 'one', inputs });
  expect([status, body['status']]).toEqual([201, 'complete']);
  const runId = String(body['runId']);
  return { runId, eager: (await historyOf(product, runId)).eager };
}

/** The API leaves a worker alone for a second that was not there. */
async function untilEager(): Promise<string> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const { runId, eager } = await run();
    if (eager) return runId;
  }
  throw new Error('the worker started no run');
}

async function asked(start: RunStart): Promise<StartAnswer> {
  const starts = new WorkerStarts(socket);
  ends.push(() => starts.close());
  return starts.start(start);
}

describe('a worker with a socket', () => {
  it('starts the runs of the API, with their first workflow task', async () => {
    await serve();
    await untilEager();
    expect((statSync(socket).mode & 0o777).toString(8)).toBe('600');
  });

  it('says that a run is started already', async () => {
    await serve();
    const row = await product.runs.require(LOCAL_USER_ID, await untilEager());
    expect(await asked(runStart(row, { inputs: {}, settings: SETTINGS } as unknown as PlaybookRunInput))).toBe(
      'already_started',
    );
  });

  it('starts none while it takes no work', async () => {
    await serve(() => false);
    expect((await run()).eager).toBe(false);
    expect(await asked({ run: { id: randomUUID() }, input: { inputs: {} } } as RunStart)).toBe('failed');
  });

  it('ends a connection that asks for something else, and serves the others', async () => {
    await serve();
    for (const line of [
      '{',
      '{"id":"1","start":{"run":{}}}',
      '{"id":1,"start":{}}',
      '[]',
      'x'.repeat(LONGEST_START + 1),
    ]) {
      const other = connect(socket).on('error', () => undefined);
      other.write(`${line}\n`);
      await once(other, 'close');
    }
    await untilEager();
  });

  it('takes over the socket of a worker that was killed, and leaves one alone that is served', async () => {
    await stranger();
    // A server removes its file as it closes; one that is killed does not.
    renameSync(socket, `${socket}.kept`);
    ends.splice(0).forEach((end) => end());
    renameSync(`${socket}.kept`, socket);
    await serve();
    await untilEager();
    const { ino } = statSync(socket);
    await serve();
    expect(statSync(socket).ino).toBe(ino);
    await untilEager();
  });
});

describe('a run that the worker does not start is started by the API', () => {
  it('when there is no socket', async () => {
    expect(existsSync(socket)).toBe(false);
    expect((await run()).eager).toBe(false);
  });

  it('when it is large', async () => {
    await serve();
    await untilEager();
    expect((await run({ text: 'x'.repeat(LONGEST_START) })).eager).toBe(false);
    expect((await run()).eager).toBe(true);
  });

  it.each<[string, (from: Socket) => void]>([
    ['says nothing', () => undefined],
    ['hangs up', (from) => from.destroy()],
    ['answers with something else', (from) => from.write('{"id":1,"answer":"perhaps"}\n')],
    ['answers without end', (from) => from.write('x'.repeat(100_000))],
  ])('when who listens there %s', async (_what, takes) => {
    await stranger(takes);
    // Starts runs without the worker until the API uses the socket again.
    const starts = new WorkerStarts(socket, 200);
    ends.push(() => starts.close());
    expect(await starts.start({ run: {}, input: { inputs: {} } } as RunStart)).toBe('failed');
    expect((await run()).eager).toBe(false);
  });
});
