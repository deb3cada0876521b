import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WebSocket } from 'ws';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { newFolder } from '../support/run-folder';
import { waitUntil } from '../support/wait-until';
import { PREFIX, startApi, TWO_STEPS, type TestApi } from './api-fixture';

const file = path.join(newFolder('request-log'), 'api.log');
const fd = openSync(file, 'w');
let api: TestApi;

beforeAll(async () => {
  api = await startApi({ logFd: fd });
});
afterAll(async () => {
  await api.close();
  closeSync(fd);
});

type Line = Record<string, unknown>;

function linesOf(requestId: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line['requestId'] === requestId);
}

/** The line is written as the connection is done with the answer: the client may have it before. */
async function lineOf(requestId: string): Promise<Line> {
  await waitUntil('its line', () => linesOf(requestId).some((line) => line['event'] === 'request'));
  const own = linesOf(requestId).filter((line) => line['event'] === 'request');
  expect(own).toHaveLength(1);
  return own[0] ?? {};
}

const asks = (method: string, where: string, id: string, body?: unknown) =>
  api.call(method, where, body, { 'x-request-id': id });

describe('the line of a request', () => {
  it('has its id, route, status, time and who asked', async () => {
    await asks('GET', '/runs?limit=1', 'a-list');
    expect(await lineOf('a-list')).toMatchObject({
      level: 'info',
      name: 'api',
      msg: 'request',
      method: 'GET',
      route: `${PREFIX}/runs`,
      status: 200,
      ms: expect.any(Number),
      caller: LOCAL_USER_ID,
      means: 'key',
      via: 'api',
      peer: '127.0.0.1',
    });
  });

  it('names the route by its template, and never what stands in an address', async () => {
    await asks('POST', '/playbooks', 'saved', { source: TWO_STEPS });
    await asks('GET', '/playbooks/two-steps?token=canary-in-a-query', 'shown');
    await asks('GET', '/links/approvals/canary-in-a-path', 'linked');
    expect(await lineOf('shown')).toMatchObject({ route: `${PREFIX}/playbooks/:id` });
    expect(await lineOf('linked')).toMatchObject({ route: `${PREFIX}/links/approvals/:token`, status: 404 });
    expect(readFileSync(file, 'utf8')).not.toContain('canary');
    expect(readFileSync(file, 'utf8')).not.toContain(api.key);
  });

  it('ties the request to its run', async () => {
    const { body } = await asks('POST', '/runs', 'started', { playbook: 'two-steps', inputs: { rows: [] } });
    const runId = String(body['runId']);
    await asks('GET', `/runs/${runId}`, 'looked');
    expect(await lineOf('looked')).toMatchObject({ route: `${PREFIX}/runs/:runId`, runId, status: 200 });
  });

  it('is there for who was turned away, and for an address that is none', async () => {
    await api.call('GET', '/runs', undefined, { 'x-api-key': 'af_nothing', 'x-request-id': 'nobody' });
    await asks('GET', '/no/such/place', 'nowhere');
    const line = await lineOf('nobody');
    expect(line).toMatchObject({ status: 401, route: `${PREFIX}/runs`, peer: '127.0.0.1' });
    expect(line).not.toHaveProperty('caller');
    expect(await lineOf('nowhere')).toMatchObject({ status: 404, route: 'none' });
  });

  it('of a WebSocket is written at its end, and of one that was refused at once', async () => {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}${PREFIX}/ws`, {
      headers: { ...api.headers, 'x-request-id': 'a-socket' },
    });
    await once(socket, 'open');
    expect(linesOf('a-socket')).toEqual([]);
    socket.close();
    const line = await lineOf('a-socket');
    expect(line).toMatchObject({ method: 'GET', route: `${PREFIX}/ws`, status: 101, caller: LOCAL_USER_ID });
    expect(line).not.toHaveProperty('aborted');
    const nobody = new WebSocket(`${api.url.replace('http', 'ws')}${PREFIX}/ws`, {
      headers: { 'x-request-id': 'no-socket' },
    });
    await once(nobody, 'unexpected-response').finally(() => nobody.on('error', () => undefined).terminate());
    expect(await lineOf('no-socket')).toMatchObject({ route: `${PREFIX}/ws`, status: 401 });
  });

  it('of a handshake that is wrong says so', async () => {
    const { hostname, port } = new URL(api.url);
    const wrong = request({
      hostname,
      port,
      path: `${PREFIX}/ws`,
      // Leaves out the key of the protocol.
      headers: { ...api.headers, connection: 'Upgrade', upgrade: 'websocket', 'x-request-id': 'wrong-socket' },
    }).end();
    const [answer] = (await once(wrong, 'response')) as [{ statusCode?: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(400);
    expect(await lineOf('wrong-socket')).toMatchObject({ route: `${PREFIX}/ws`, status: 400 });
  });

  it('of an unexpected error goes with a line that has the error and its causes', async () => {
    const broken = new Error('outer', { cause: new Error('inner postgres://user:hunter2@host/db') });
    const { log } = api.deps;
    log.error({ err: broken, requestId: 'broken' }, 'unexpected error');
    const [line] = linesOf('broken');
    expect(line).toMatchObject({ level: 'error', err: { message: 'outer: inner postgres://[masked]@host/db' } });
    expect(JSON.stringify(line)).toContain('caused by');
    expect(JSON.stringify(line)).not.toContain('hunter2');
  });
});
