import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Heartbeats } from '../../../../src/runs/events/heartbeats';
import { SseWriter, type SseEvent } from '../../../../src/runs/events/sse-writer';

const closing: (() => void)[] = [];
afterEach(() => {
  closing.splice(0).forEach((close) => close());
});

/** A response that is being sent, and the client's end of it, which does not read yet. */
async function connection(): Promise<{ response: ServerResponse; client: IncomingMessage }> {
  const server: Server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent: false });
  asked.end();
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  response.flushHeaders();
  const [client] = (await once(asked, 'response')) as [IncomingMessage];
  closing.push(() => {
    client.on('error', () => undefined);
    client.destroy();
    response.destroy();
    server.close();
  });
  return { response, client };
}

const events = (count: number, text = 'x'): SseEvent[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, type: 'step.started', data: { text } }));

describe('SseWriter', () => {
  it('writes a batch with one write', async () => {
    const { response, client } = await connection();
    const write = jest.spyOn(response, 'write');
    await new SseWriter(response).events(events(100), new AbortController().signal);
    expect(write).toHaveBeenCalledTimes(1);
    response.end();
    client.setEncoding('utf8');
    const text = (await client.toArray()).join('');
    expect(text.match(/^id: \d+\nevent: step.started\ndata: \{"text":"x"\}$/gm)).toHaveLength(100);
  });

  it('waits for a client that does not read, and holds one piece of a huge batch, not all of it', async () => {
    const { response, client } = await connection();
    const written: number[] = [];
    const huge = events(200, 'x'.repeat(500_000));
    const sending = new SseWriter(response).events(
      (function* () {
        for (const event of huge) {
          written.push(Number(event.id));
          yield event;
        }
      })(),
      new AbortController().signal,
    );
    while (!response.writableNeedDrain) await new Promise(setImmediate);
    expect(written.length).toBeLessThan(100);
    let bytes = 0;
    client.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await sending;
    expect(written).toHaveLength(200);
    response.end();
    await once(client, 'end');
    expect(bytes).toBeGreaterThan(200 * 500_000);
  });

  it.each(['stop', 'close'])('a wait for the client ends at %s', async (how) => {
    const { response, client } = await connection();
    const stop = new AbortController();
    const writer = new SseWriter(response);
    writer.onClose(() => stop.abort());
    const sending = writer.events(events(200, 'x'.repeat(500_000)), stop.signal);
    while (!response.writableNeedDrain) await new Promise(setImmediate);
    if (how === 'stop') {
      stop.abort();
    } else {
      client.on('error', () => undefined);
      client.destroy();
    }
    await sending;
    expect(response.listenerCount('drain')).toBe(0);
  });
});

describe('Heartbeats', () => {
  it('beats each stream once in 15 s over one timer, and stops with the last', () => {
    jest.useFakeTimers();
    try {
      const heartbeats = new Heartbeats();
      const beats = Array.from({ length: 40 }, () => 0);
      const quiet = beats.map((_, index) => {
        jest.advanceTimersByTime(index === 20 ? 3_000 : 0);
        return heartbeats.add(() => (beats[index] = (beats[index] ?? 0) + 1));
      });
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(60_000);
      expect(new Set(beats)).toEqual(new Set([4]));
      quiet.forEach((stop) => stop());
      quiet.forEach((stop) => stop());
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
