import { randomBytes, randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { JsonObject } from '../../core/base/json';
import { startInProcess, type InProcess } from '../support/in-process';
import { newFolder } from '../support/run-folder';
import { historyOf } from '../workflows/scale-fixture';
import { startApiOf, type TestApi } from './api-fixture';

const sockets = new Set<Socket>();
const { connect } = pg.Client.prototype;
pg.Client.prototype.connect = function seen(this: pg.Client, ...args: unknown[]): unknown {
  sockets.add((this as unknown as { connection: { stream: Socket } }).connection.stream);
  return (connect as (...given: unknown[]) => unknown).apply(this, args);
} as typeof connect;

/**
 * Costs of one run on one machine, counted from the request to its answer: events, round trips and passes over a
 * document.
 */
let product: InProcess;
let api: TestApi;
let stopStarts: (() => void) | undefined;
beforeAll(async () => {
  product = await startInProcess();
  const socket = path.join(newFolder('costs'), 'starts.sock');
  stopStarts = await product.takeStarts(socket);
  api = await startApiOf(product, { AF_START_SOCKET: socket });
  const steps = Array.from({ length: 10 }, (_each, at) => {
    const data = at === 0 ? '["{document}"]' : `"{s${at}.data}"`;
    return `  - {name: s${at + 1}, step_type: tool, action: transform_data, on_error: stop, inputs: {data: ${data}}, operations: [{type: compute, as: f${at + 1}, expression: "${at + 1}"}]}`;
  });
  await product.save(
    `id: chain\nname: Chain\ninputs: [{name: document, type: object, required: true}]\nsteps:\n${steps.join('\n')}\n`,
  );
  await product.save(
    'id: gated\nname: Gated\nsteps:\n  - {name: ask, step_type: approval, prompt: Go on?}\n  - {name: after, step_type: tool, action: transform_data, inputs: {data: [{n: 1}]}, operations: [{type: compute, as: m, expression: "{n}"}]}\n',
  );
});
afterAll(async () => {
  pg.Client.prototype.connect = connect;
  stopStarts?.();
  await api?.close();
  await product?.close();
});

type Query = typeof pg.Client.prototype.query;

/**
 * One round trip each, in this order, the entry in the audit trail with the row; the loops beside a run have functions of
 * their own. Then comes the view, one too.
 */
const OF_A_RUN = ['af_identify', 'af_playbook_to_start', 'af_insert_run', 'af_finish_tree'];

interface Called {
  name: string;
  values: string;
}

/** The functions that statements of this process call meanwhile, in their order. */
async function statementsOf<T>(work: () => Promise<T>): Promise<[T, Called[]]> {
  const seen: Called[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]): unknown {
    const [asked] = args;
    const text = typeof asked === 'string' ? asked : ((asked as { text?: string } | undefined)?.text ?? '');
    const values = JSON.stringify((asked as { values?: unknown } | undefined)?.values ?? args[1] ?? null);
    for (const name of text.match(/\baf_\w+(?=\()/g) ?? []) seen.push({ name, values });
    return (query as (...given: unknown[]) => unknown).apply(this, args);
  } as Query;
  try {
    return [await work(), seen];
  } finally {
    pg.Client.prototype.query = query;
  }
}

/** Times that a text of at least so many characters was made or read as JSON in this process. */
async function passesOf<T>(most: number, work: () => Promise<T>): Promise<[T, number]> {
  let passes = 0;
  const { parse, stringify } = JSON;
  JSON.parse = ((text: string, ...more: [undefined]) => {
    if (text.length >= most) passes += 1;
    return parse(text, ...more) as unknown;
  }) as typeof parse;
  JSON.stringify = ((value: unknown, ...more: [undefined]) => {
    const text = stringify(value, ...more);
    if ((text?.length ?? 0) >= most) passes += 1;
    return text;
  }) as typeof stringify;
  try {
    return [await work(), passes];
  } finally {
    Object.assign(JSON, { parse, stringify });
  }
}

/** Bytes over the connections to the database that have been used in this process. */
async function bytesOf<T>(work: () => Promise<T>): Promise<[T, { sent: number; read: number }]> {
  const before = bytesNow();
  const done = await work();
  const after = bytesNow();
  return [done, { sent: after.sent - before.sent, read: after.read - before.read }];
}

function bytesNow(): { sent: number; read: number } {
  const sum = { sent: 0, read: 0 };
  for (const { bytesWritten, bytesRead } of sockets) {
    sum.sent += bytesWritten;
    sum.read += bytesRead;
  }
  return sum;
}

type Write = (this: Socket, data: Buffer, ...more: unknown[]) => void;
type Writev = (this: Socket, chunks: { chunk: Buffer }[], ...more: unknown[]) => void;

/** Writes to the database that hold this text: a system call each, and each wakes up the server. */
async function writesWith(text: string, work: () => Promise<unknown>): Promise<number> {
  let writes = 0;
  const stream = Socket.prototype as unknown as { _write: Write; _writev: Writev };
  const { _write: write, _writev: writev } = stream;
  const count = (socket: Socket, chunks: Buffer[]): void => {
    if (sockets.has(socket) && Buffer.concat(chunks).includes(text)) writes += 1;
  };
  stream._write = function (data, ...more) {
    count(this, [data]);
    write.call(this, data, ...more);
  };
  stream._writev = function (chunks, ...more) {
    count(
      this,
      chunks.map(({ chunk }) => chunk),
    );
    writev.call(this, chunks, ...more);
  };
  try {
    await work();
    return writes;
  } finally {
    Object.assign(stream, { _write: write, _writev: writev });
  }
}

const start = async (document: JsonObject): Promise<string> => {
  const { status, body } = await api.call('POST', '/runs?wait=60', { playbook: 'chain', inputs: { document } });
  expect([status, body['status']]).toEqual([201, 'complete']);
  return String(body['runId']);
};

describe('one pure run of ten steps', () => {
  it('costs this many events and statements, and no more', async () => {
    // Warms up: preparations of a connection or process are no cost of a run.
    for (let no = 0; no < 12; no++) await start({ no });
    const [runId, seen] = await statementsOf(() => start({ no: 12 }));
    // The row has its end before the workflow has.
    await product.client.workflow.getHandle(`run-${runId}`).result();
    const { events, eager } = await historyOf(product, runId);
    expect(eager).toBe(true);
    // Started; a workflow task scheduled, begun, completed; the attributes, the record of the end; completed.
    expect(events).toBe(7);
    expect(seen.map(({ name }) => name).filter((name) => OF_A_RUN.includes(name))).toEqual(OF_A_RUN);
    const named = seen.filter(({ values }) => values.includes(runId)).map(({ name }) => name);
    expect(named.filter((name) => !OF_A_RUN.includes(name))).toEqual([]);
  });

  it('is looked at with one write to the database', async () => {
    const runId = await start({ no: 1 });
    const view = async (): Promise<void> => expect((await api.call('GET', `/runs/${runId}`)).status).toBe(200);
    expect(await writesWith(runId, view)).toBe(1);
  });

  it('passes over the text of its document no more often than this', async () => {
    const document = { id: 1, text: 'x'.repeat(300_000) };
    await start(document);
    const [, passes] = await passesOf(300_000, () => start(document));
    // The test itself writes the request and reads the answer.
    expect(passes - 2).toBeLessThanOrEqual(6);
  });

  it('sends its document to the database three times, packed two of them, and reads it back once', async () => {
    const size = 300_000;
    // Random digits: half as long when it is packed, as the argument of the workflow and as a stored part of the
    // outputs.
    const document = { id: 1, text: randomBytes(size / 2).toString('hex') };
    await start(document);
    const [, { sent, read }] = await bytesOf(() => start(document));
    // Limits leave room for events, views and the requests of the platform's loops.
    expect(sent / size).toBeLessThan(2.5);
    expect(read / size).toBeLessThan(1);
  });
});

describe('one decision with inline work alone behind it', () => {
  const decided = async (): Promise<{ runId: string; named: string[] }> => {
    const { body } = await api.call('POST', '/runs', { playbook: 'gated', inputs: {} });
    const runId = String(body['runId']);
    const approvalId = await product.approval(runId);
    const { digest } = (await api.call('GET', `/approvals/${approvalId}`)).body;
    const [, seen] = await statementsOf(async () => {
      const answer = { decisionId: randomUUID(), digest: digest ?? null };
      expect((await api.call('POST', `/approvals/${approvalId}/approve`, answer)).status).toBeLessThan(300);
      await product.client.workflow.getHandle(`run-${runId}`).result();
    });
    const about = seen.filter(({ values }) => values.includes(runId) || values.includes(approvalId));
    // Leaves out calls of a busy machine, on which the caller stops waiting and reads the row.
    const others = ['af_audit', 'af_decision'];
    return { runId, named: about.map(({ name }) => name).filter((name) => !others.includes(name)) };
  };

  it('costs two commits to the end of the run, and this many events', async () => {
    await decided();
    const { runId, named } = await decided();
    expect(named).toEqual(['af_take_decision', 'af_settle_and_finish']);
    expect(await product.done(runId)).toMatchObject({ status: 'complete' });
    // Events to the gate: started, a workflow task, attributes, the record of the request. After it: a workflow task,
    // the update accepted and completed, the record of decision and end, attributes; completed.
    expect((await historyOf(product, runId)).events).toBe(14);
  });
});
