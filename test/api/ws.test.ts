import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { WsConnection, LIMITS } from '../../src/ws/ws-connection';
import { PREFIX, startApi, startRun, type TestApi } from './api-fixture';
import { settledEvents } from './settled-events';

type Message = { type: string; id?: string; event?: string; seq?: number; cursor?: string; code?: string } & Record<
  string,
  unknown
>;

let api: TestApi;
let replica: TestApi;
let transitions: TransitionsStore;
beforeAll(async () => {
  api = await startApi();
  replica = await startApi({ databaseUrl: api.databaseUrl });
  transitions = new TransitionsStore(api.database);
});
afterAll(async () => {
  await replica.close();
  await api.close();
});

const sockets: WebSocket[] = [];
afterEach(() => {
  sockets.splice(0).forEach((socket) => socket.terminate());
});

/** A client that keeps what it hears. */
class Tab {
  readonly heard: Message[] = [];
  closed: { code: number; reason: string } | undefined;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.heard.push(JSON.parse(data.toString()) as Message));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  say(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async until(test: () => boolean): Promise<void> {
    while (!test()) await sleep(10);
  }

  async heardOf(type: string, count = 1): Promise<Message[]> {
    const found = (): Message[] => this.heard.filter((message) => message.type === type);
    await this.until(() => found().length >= count);
    return found();
  }

  async subscribe(id: string, more: object): Promise<Message | undefined> {
    this.say({ type: 'subscribe', id, ...more });
    await this.until(() => this.heard.some((message) => message.type === 'subscribed' && message.id === id));
    return this.heard.find((message) => message.type === 'subscribed' && message.id === id);
  }
}

async function tab(of: TestApi = api): Promise<Tab> {
  const socket = new WebSocket(`ws://127.0.0.1:${of.port}${PREFIX}/ws`, { headers: of.headers });
  sockets.push(socket);
  const made = new Tab(socket);
  await once(socket, 'open');
  return made;
}

/** Answer of the server to a handshake that it refuses. */
function refusal(path: string, headers: Record<string, string>): Promise<{ status: number; body: Message }> {
  const socket = new WebSocket(`ws://127.0.0.1:${api.port}${path}`, { headers });
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.on('error', () => undefined);
    socket.on('open', () => reject(new Error('it was let in')));
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Message }));
    });
  });
}

let number = 0;
async function emit(runId: string, text = 'x'): Promise<void> {
  number += 1;
  const payload = { step: text, action: 'x', try_no: 1, attempt: 1 };
  await transitions.apply(runId, {
    events: [{ id: `e${number}`, type: 'step.started', step_path: 'a', payload }],
  });
}
const complete = (runId: string): Promise<unknown> =>
  transitions.finish(runId, {
    status: 'complete',
    events: [{ id: 'end', type: 'complete', payload: { status: 'complete' } }],
  });

describe('a WebSocket', () => {
  it('carries runs and everything, in many tabs, on all replicas', async () => {
    const runId = await startRun(api);
    await emit(runId);
    await settledEvents(api);
    const tabs = await Promise.all([tab(), tab(), tab(replica)]);
    for (const each of tabs) {
      await each.subscribe('one', { run_id: runId, after: 1 });
      expect(await each.subscribe('all', { run_id: 'all' })).toMatchObject({ cursor: expect.any(String) });
    }
    await emit(runId);
    await complete(runId);
    for (const each of tabs) {
      await each.heardOf('ended');
      await each.heardOf('event', 6);
      const of = (id: string): Message[] => each.heard.filter((one) => one.type === 'event' && one.id === id);
      expect(of('one').map(({ event, seq }) => [event, seq])).toEqual([
        ['step.started', 2],
        ['step.finished', 3],
        ['complete', 4],
      ]);
      expect(of('all').map(({ data }) => data)).toMatchObject([
        { runId, seq: 2, step: 'x' },
        { runId, seq: 3, status: 'cancelled' },
        { runId, seq: 4, status: 'complete' },
      ]);
    }
    const [event] = (await tabs[0]?.heardOf('event'))?.filter((one) => one.id === 'all') ?? [];
    const again = await tab(replica);
    await again.subscribe('all', { run_id: 'all', after: event?.cursor, types: ['complete'] });
    expect(await again.heardOf('event')).toMatchObject([{ event: 'complete', data: { runId, seq: 4 } }]);
    const reset = await again.subscribe('lost', { run_id: 'all', after: 'nonsense' });
    expect(reset).toMatchObject({ reset: { code: 'cursor_unknown' } });
  });

  it('sends nothing more of what was unsubscribed', async () => {
    const [first, second] = [await startRun(api), await startRun(api)];
    const one = await tab();
    await one.subscribe('a', { run_id: first });
    await one.subscribe('b', { run_id: second });
    one.say({ type: 'unsubscribe', id: 'a' });
    await one.heardOf('unsubscribed');
    await emit(first);
    await emit(second);
    expect((await one.heardOf('event')).map(({ id }) => id)).toEqual(['b']);
    await one.subscribe('a', { run_id: first });
    await one.heardOf('event', 2);
  });

  it('says what is wrong, and goes on', async () => {
    const one = await tab();
    const runId = await startRun(api);
    const wrong: [unknown, string][] = [
      ['nonsense', 'invalid_message'],
      [{ type: 'what' }, 'invalid_message'],
      [{ type: 'subscribe', id: 'x', run_id: 'x' }, 'invalid_message'],
      [{ type: 'subscribe', id: '', run_id: 'all' }, 'invalid_message'],
      [{ type: 'subscribe', id: 'x', run_id: runId, after: 'cursor' }, 'invalid_message'],
      [{ type: 'subscribe', id: 'x', run_id: 'all', types: ['nothing'] }, 'invalid_message'],
      [{ type: 'subscribe', id: 'x', run_id: '0f8fad5b-d9cb-469f-a165-70867728950e' }, 'run_not_found'],
    ];
    for (const [index, [message, code]] of wrong.entries()) {
      one.say(typeof message === 'string' ? message : JSON.stringify(message));
      expect((await one.heardOf('error', index + 1)).at(-1)).toMatchObject({ code, message: expect.any(String) });
    }
    await one.subscribe('x', { run_id: runId });
    one.say({ type: 'subscribe', id: 'x', run_id: runId });
    expect((await one.heardOf('error', wrong.length + 1)).at(-1)).toMatchObject({ code: 'subscription_exists' });
    one.say({ type: 'ping' });
    await one.heardOf('pong');
  });

  it('has a limit of subscriptions, of the size of a message and of their number', async () => {
    const runId = await startRun(api);
    const many = await tab();
    for (let count = 0; count <= 100; count += 1) many.say({ type: 'subscribe', id: `s${count}`, run_id: runId });
    expect(await many.heardOf('error')).toMatchObject([{ id: 's100', code: 'too_many_subscriptions' }]);
    await many.heardOf('subscribed', 100);
    const big = await tab();
    big.say('x'.repeat(10_000));
    await big.until(() => big.closed !== undefined);
    expect(big.closed?.code).toBe(1009);
    const chatty = await tab();
    for (let count = 0; count < 1_000; count += 1) chatty.say({ type: 'ping' });
    await chatty.until(() => chatty.closed !== undefined);
    expect(chatty.closed).toEqual({ code: 1008, reason: 'too_many_messages' });
    const binary = await tab();
    binary.socket.send(Buffer.from('x'));
    await binary.until(() => binary.closed !== undefined);
    expect(binary.closed).toEqual({ code: 1003, reason: 'only_text' });
  });

  it('is refused as any other request: A10 a page of another origin, a foreign host, a wrong address', async () => {
    const path = `${PREFIX}/ws`;
    expect(await refusal(path, { origin: 'https://evil.test' })).toMatchObject({
      status: 403,
      body: { code: 'foreign_origin' },
    });
    expect(await refusal(path, { host: 'evil.test' })).toMatchObject({ status: 403, body: { code: 'foreign_host' } });
    expect(await refusal(`${PREFIX}/nothing`, {})).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    expect(await api.call('GET', '/ws')).toMatchObject({ status: 426, body: { code: 'upgrade_required' } });
    const own = new WebSocket(`ws://127.0.0.1:${api.port}${path}`, {
      headers: api.headers,
      origin: `http://127.0.0.1:${api.port}`,
    });
    sockets.push(own);
    await once(own, 'open');
  });

  it('is told when the server stops', async () => {
    const third = await startApi({ databaseUrl: api.databaseUrl });
    const one = await tab(third);
    await one.subscribe('all', { run_id: 'all' });
    await third.close();
    await one.until(() => one.closed !== undefined);
    expect(one.closed).toEqual({ code: 1001, reason: 'shutting_down' });
  });
});

describe('a client that does not read', () => {
  it('holds no more than a piece, and is closed with a code', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[WebSocket]>;
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`);
    sockets.push(client);
    const [socket] = await accepted;
    await once(client, 'open');
    client.pause();
    const connection = new WsConnection(socket, { ...LIMITS, slowMs: 100, closeMs: 60_000 });
    let made = 0;
    const messages = (function* () {
      for (; made < 10_000; made += 1) yield { text: 'x'.repeat(10_000) };
    })();
    let most = 0;
    const sending = connection.send(messages);
    while (connection.open) {
      most = Math.max(most, socket.bufferedAmount);
      await sleep(5);
    }
    const closed = once(client, 'close') as Promise<[number, Buffer]>;
    client.resume();
    const [code, reason] = await closed;
    await sending;
    expect({ code, reason: String(reason) }).toEqual({ code: 4008, reason: 'slow_consumer' });
    expect(made).toBeLessThan(10_000);
    expect(most).toBeLessThan(1_000_000);
    server.close();
  });
});
