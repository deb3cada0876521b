import { afterEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { CliError } from '../../cli/errors';
import { followRun } from '../../cli/follow';
import { Api } from '../../cli/http/api';
import { clientKindOf } from '../../src/http/caller';
import { serveApi, type ServedApi } from './served-api';
import { readServerEvents, type ServerEvent } from '../../cli/http/server-events';

const served: ServedApi[] = [];

async function serve(answer: RequestListener): Promise<Api> {
  const one = await serveApi(answer);
  served.push(one);
  return one.api;
}

afterEach(async () => {
  for (const one of served.splice(0)) await one.close();
});

async function eventsOf(...chunks: string[]): Promise<ServerEvent[]> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield await Promise.resolve(new TextEncoder().encode(chunk));
  }
  const events: ServerEvent[] = [];
  for await (const event of readServerEvents(bytes())) events.push(event);
  return events;
}

describe('server-sent events', () => {
  it('are read whatever way they are cut, with comments left out', async () => {
    const text =
      ': hello\n\nid: 1\nevent: run.status\ndata: {"status":\ndata: "running"}\n\n:beat\n\nid:2\r\nevent:complete\r\ndata:{}\r\n\r\n';
    const expected = [
      { id: '1', event: 'run.status', data: { status: 'running' } },
      { id: '2', event: 'complete', data: {} },
    ];
    expect(await eventsOf(text)).toEqual(expected);
    expect(await eventsOf(...text.match(/[\s\S]{1,3}/g)!)).toEqual(expected);
  });
});

describe('every call', () => {
  it('says that the command line makes it, and of which version', async () => {
    const clients: unknown[] = [];
    const api = await serve((request, response) => {
      clients.push(request.headers['x-af-client']);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await api.get('/runs');
    await api.post('/runs', {}, { 'idempotency-key': 'k' });
    const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(clients).toEqual([`cli/${version}`, `cli/${version}`]);
    expect(clientKindOf(clients[0] as string)).toBe('cli');
    expect(clientKindOf('client')).toBe('api');
  });
});

describe('following a run', () => {
  it('takes up a broken connection after the last event and sees each event once', async () => {
    const asked: (string | undefined)[] = [];
    const api = await serve((request, response) => {
      const last = request.headers['last-event-id'] as string | undefined;
      asked.push(last);
      const next = Number(last ?? '0') + 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: ${next}\nevent: ${next === 4 ? 'complete' : 'step.started'}\ndata: {"n":${next}}\n\n`);
      // Two of four connections are cut, two end.
      if (next % 2 === 0) response.end();
      else setTimeout(() => response.destroy(), 20);
    });
    const seen: unknown[] = [];
    await followRun(api, 'run', (event) => seen.push(event.data['n']));
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual([undefined, '1', '2', '3']);
  });

  it('gives up at once where the run is not known', async () => {
    const api = await serve((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ code: 'run_not_found', detail: 'There is no such run.' }));
    });
    await expect(followRun(api, 'x', () => undefined)).rejects.toMatchObject({ code: 'run_not_found', exitCode: 1 });
  });
});

describe('calls of the API', () => {
  it.each([
    [422, 2],
    [400, 2],
    [409, 1],
    [503, 3],
  ])('turn status %s into exit code %s', async (status, exitCode) => {
    const api = await serve((_request, response) => {
      response.writeHead(status).end(JSON.stringify({ code: 'some_code', detail: 'A sentence.', problems: [] }));
    });
    await expect(api.get('/runs')).rejects.toMatchObject({ code: 'some_code', message: 'A sentence.', exitCode });
  });

  it('say how to start what does not answer', async () => {
    const failure = await new Api('http://127.0.0.1:9').get('/runs').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CliError);
    expect(failure).toMatchObject({ code: 'not_reachable', exitCode: 3 });
  });

  it('do not show a page that is no answer of ours', async () => {
    const api = await serve((_request, response) => response.writeHead(500).end('<html>stack</html>'));
    await expect(api.get('/runs')).rejects.toMatchObject({ message: 'The API answered 500 Internal Server Error.' });
  });
});
