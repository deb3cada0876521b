import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseConfig } from '../../../infra/config/config';
import { testEgress } from '../../support/egress';
import type { Egress } from '../../../infra/egress/egress';
import type { EgressRequest } from '../../../infra/egress/types';
import { startHttpSource } from '../../support/http-source';
import { PRIVATE_HOSTS } from '../../support/private-addresses';
import { answering, startRawServer } from '../../support/raw-server';
import { waitUntil } from '../../support/wait-until';
import type { HttpSource } from '../../support/http-source';

/** A packed body, and its first bytes. */
const CUT_GZIP = gzipSync('a text that is cut').subarray(0, 15).toString('latin1');

const get = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  method: 'GET',
  url,
  timeoutMs: 5_000,
  ...more,
});

let decoy: HttpSource;
let source: HttpSource;
let other: HttpSource;
let egress: Egress;

beforeAll(async () => {
  decoy = await startHttpSource((_request, response) => response.end('decoy'));
  other = await startHttpSource((request, response) => response.end(JSON.stringify(request.headers)));
  source = await startHttpSource((request, response) => {
    const path = request.url;
    if (path.startsWith('/to?')) {
      const [status, target] = [request.headers['x-status'] ?? '302', decodeURIComponent(path.slice(4))];
      response.writeHead(Number(status), { location: target }).end();
    } else if (path === '/loop') {
      response.writeHead(302, { location: '/loop' }).end();
    } else if (path === '/big') {
      response.write(Buffer.alloc(2_000_000));
      response.end();
    } else if (path === '/declared') {
      response.writeHead(200, { 'content-length': '99999999' });
      response.flushHeaders();
    } else if (path === '/bomb') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    } else if (path === '/silent') {
      return;
    } else if (path === '/gzip') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unfolded'));
    } else {
      response.writeHead(200, { 'x-one': 'yes' }).end(`hello ${path}`);
    }
  });
  egress = testEgress({
    allow: [
      { host: '127.0.0.1', port: source.port },
      { host: '127.0.0.1', port: other.port },
    ],
  });
});
afterAll(async () => {
  await egress.close();
  await Promise.all([decoy.close(), source.close(), other.close()]);
});

describe('H01: private addresses in every spelling', () => {
  const spellings = (port: number): string[] => [
    ...PRIVATE_HOSTS.flatMap((host) => [`http://${host}/`, `http://${host}:${port}/`]),
    'https://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'HTTP:\\\\127.0.0.1/',
    'http:127.0.0.1/',
    'http://127.0.0.1#@example.org/',
  ];
  it('are refused, and nothing arrives', async () => {
    for (const url of spellings(decoy.port)) {
      await expect(egress.fetch(get(url))).rejects.toMatchObject({ code: 'egress_denied' });
    }
    expect(decoy.connections()).toBe(0);
  });

  it('are refused with the setting that would allow them, in a form that it takes', async () => {
    for (const [url, place] of [
      ['http://[::1]:8080/', '[::1]:8080'],
      ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ] as const) {
      const refused = await egress.fetch(get(url)).catch((error: unknown) => error as Error);
      const message = refused instanceof Error ? refused.message : '';
      expect(message).toBe(
        `${place} is not on the public internet, so nothing is sent there. An operator can allow it with AF_EGRESS_ALLOW=${place}.`,
      );
      const suggested = /AF_EGRESS_ALLOW=(\S+)\.$/.exec(message)?.[1];
      expect(parseConfig({ AF_EGRESS_ALLOW: suggested }).egressAllow).toEqual([place]);
    }
  });

  it('are refused without a way to open what hands out credentials', async () => {
    for (const host of ['169.254.169.254', '2852039166', '[fe80::1]']) {
      const refused = await egress.fetch(get(`http://${host}/latest/meta-data/`)).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'egress_denied', message: expect.stringContaining('where clouds keep') });
      expect(String(refused)).not.toContain('AF_EGRESS_ALLOW');
    }
  });

  it('are refused when a public-looking name leads to them, even beside a public address', async () => {
    for (const answer of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:10.0.0.1'], ['169.254.169.254']]) {
      const rebinding = testEgress({ allow: [], resolve: () => Promise.resolve(answer) });
      await expect(rebinding.fetch(get(`http://example.org:${decoy.port}/`))).rejects.toMatchObject({
        code: 'egress_denied',
      });
      await rebinding.close();
    }
    expect(decoy.connections()).toBe(0);
  });

  it('a name is resolved once: the checked address is the one that is opened', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    let asked = 0;
    const once = testEgress({
      allow: [{ host: 'api.example.org', port: source.port }],
      resolve: () => Promise.resolve([answers[asked++] ?? '10.0.0.1']),
    });
    const answer = await once.fetch(get(`http://api.example.org:${source.port}/x`));
    expect(Buffer.from(answer.body).toString()).toBe('hello /x');
    expect(asked).toBe(1);
    expect(source.seen.at(-1)?.headers.host).toBe(`api.example.org:${source.port}`);
    await once.close();
  });

  it('where the first address cannot be reached, the next one is tried', async () => {
    const twice = testEgress({
      allow: [{ host: 'api.example.org', port: source.port }],
      resolve: () => Promise.resolve(['::1', '127.0.0.1']),
    });
    await expect(twice.fetch(get(`http://api.example.org:${source.port}/x`))).resolves.toMatchObject({ status: 200 });
    await twice.close();
  });

  it('the allow-list names host and port, not the host alone', async () => {
    await expect(egress.fetch(get(`${source.url}/a`))).resolves.toMatchObject({ status: 200 });
    await expect(egress.fetch(get(`http://127.0.0.1:${decoy.port}/`))).rejects.toMatchObject({ code: 'egress_denied' });
  });
});

describe('H03: redirects', () => {
  const to = (target: string): string => `${source.url}/to?${encodeURIComponent(target)}`;
  it.each(['302', '307', '301', '303', '308'])(
    '%s to a private address or another port is stopped at that hop',
    async (status) => {
      for (const target of [
        `http://127.0.0.1:${decoy.port}/`,
        'http://169.254.169.254/',
        `http://localhost:${decoy.port}/`,
        'file:///etc/passwd',
        'gopher://127.0.0.1/',
        '//127.0.0.1:1/',
      ]) {
        await expect(egress.fetch(get(to(target), { headers: { 'x-status': status } }))).rejects.toMatchObject({
          code: 'egress_denied',
        });
      }
      expect(decoy.connections()).toBe(0);
    },
  );
  it('at most five', async () => {
    const before = source.seen.length;
    await expect(egress.fetch(get(`${source.url}/loop`))).rejects.toMatchObject({ code: 'too_many_redirects' });
    expect(source.seen.length - before).toBe(6);
  });
  it('lose credentials when they leave the origin, and keep them within it', async () => {
    const headers = { authorization: 'Bearer s', 'X-Api-Key': 's', 'x-plain': 'p' };
    const away = await egress.fetch(get(to(`${other.url}/y`), { headers, secretHeaders: ['X-Api-Key'] }));
    const seen = JSON.parse(Buffer.from(away.body).toString()) as Record<string, string>;
    expect(seen['x-plain']).toBe('p');
    expect(seen['authorization']).toBeUndefined();
    expect(seen['x-api-key']).toBeUndefined();
    await egress.fetch(get(to('/same'), { headers, secretHeaders: ['X-Api-Key'] }));
    expect(source.seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer s', 'x-api-key': 's' });
  });
  it('are not followed for a request with an effect', async () => {
    await expect(egress.fetch({ ...get(to('/next')), method: 'POST', body: 'x' })).rejects.toMatchObject({
      code: 'redirect_refused',
    });
  });
});

describe('H07: schemes and headers', () => {
  it.each([
    'file:///etc/passwd',
    'gopher://example.org/',
    'data:text/plain,x',
    'ftp://example.org/',
    'javascript:alert(1)',
  ])('%s is refused', async (url) => {
    await expect(egress.fetch(get(url))).rejects.toMatchObject({ code: 'egress_denied' });
  });
  it.each([
    ['x\r\nHost', 'a'],
    ['x-a', 'a\r\nx-b: c'],
    ['x-a', 'a\nb'],
    ['Host', 'evil'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', '5'],
    ['Connection', 'close'],
    ['x a', 'b'],
  ])('header %j: %j is refused', async (name, value) => {
    await expect(egress.fetch(get(`${source.url}/`, { headers: { [name]: value } }))).rejects.toMatchObject({
      code: 'invalid_request',
      category: 'validation',
    });
  });
  it('line breaks in method and address, and credentials in an address, are refused', async () => {
    await expect(egress.fetch({ ...get(`${source.url}/`), method: 'GET\r\nX: y' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(egress.fetch(get(`${source.url}/\r\nx`))).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(egress.fetch(get(`http://user:pass@127.0.0.1:${source.port}/`))).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('caps', () => {
  it.each(['/big', '/declared', '/bomb'])('%s ends at the cap', async (path) => {
    await expect(egress.fetch(get(`${source.url}${path}`, { maxBytes: 1_000_000 }))).rejects.toMatchObject({
      code: 'response_too_large',
    });
  });
  it('one deadline for everything: a peer that stays silent, or drips', async () => {
    await expect(egress.fetch(get(`${source.url}/silent`, { timeoutMs: 200 }))).rejects.toMatchObject({
      code: 'upstream_timeout',
      retryable: true,
    });
    // Byte by byte, each in good time; every part of an answer can go on for ever.
    for (const slow of ['HTTP/1.1 200 OK\r\nX-Drip: ', 'HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n']) {
      const drip = await startRawServer((socket) => {
        socket.write(slow);
        const timer = setInterval(() => socket.write('a'), 20);
        socket.on('close', () => clearInterval(timer));
      });
      const dripping = testEgress({ allow: [{ host: '127.0.0.1', port: drip.port }] });
      await expect(dripping.fetch(get(drip.url, { timeoutMs: 300 }))).rejects.toMatchObject({
        code: 'upstream_timeout',
      });
      await waitUntil('the connection is closed', () => drip.open() === 0);
      await Promise.all([dripping.close(), drip.close()]);
    }
  });
  it('the deadline covers the look-up and a connection that nobody takes', async () => {
    const stuck = testEgress({ allow: [], resolve: () => new Promise(() => undefined) });
    await expect(stuck.fetch(get('http://example.org/', { timeoutMs: 100 }))).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
  });
  it('an abort of the caller keeps its reason', async () => {
    const abort = new AbortController();
    const reason = new Error('shutdown');
    setTimeout(() => abort.abort(reason), 50);
    await expect(egress.fetch(get(`${source.url}/silent`, { signal: abort.signal }))).rejects.toBe(reason);
  });
  it('an abort before the request leaves, and the time of a request that waits for a connection', async () => {
    const before = source.seen.length;
    const reason = new Error('too late');
    const signal = AbortSignal.abort(reason);
    await expect(egress.fetch(get(`${source.url}/a`, { signal }))).rejects.toBe(reason);
    expect(source.seen).toHaveLength(before);
  });
  it('a cut answer and a closed port are upstream_unavailable', async () => {
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
    const cut = await startRawServer(answering(half, (socket) => socket.resetAndDestroy()));
    const cutting = testEgress({ allow: [{ host: '127.0.0.1', port: cut.port }] });
    const unavailable = { code: 'upstream_unavailable', retryable: true };
    await expect(cutting.fetch(get(cut.url))).rejects.toMatchObject(unavailable);
    await cut.close();
    await expect(cutting.fetch(get(cut.url))).rejects.toMatchObject(unavailable);
    await cutting.close();
  });
  it('what never left says so: it cannot have had an effect', async () => {
    const notSent = { details: { not_sent: true } };
    const gone = await startRawServer(() => undefined);
    await gone.close();
    const silent = await startRawServer((socket) => socket.resume());
    const guard = testEgress({
      allow: [gone, silent].map(({ port }) => ({ host: '127.0.0.1', port })),
      resolve: () => new Promise(() => undefined),
    });
    const post = (url: string, timeoutMs: number): Promise<unknown> =>
      guard.fetch({ method: 'POST', url, body: 'x', timeoutMs }).catch((error: unknown) => error);
    expect(await post(gone.url, 5_000)).toMatchObject({ code: 'upstream_unavailable', ...notSent });
    expect(await post('http://never.example.org/', 50)).toMatchObject({ code: 'upstream_timeout', ...notSent });
    const sent = await post(silent.url, 200);
    expect(sent).toMatchObject({ code: 'upstream_timeout' });
    expect(sent).not.toMatchObject(notSent);
    await silent.close();
  });
  it('an answer in chunks that loses its connection is unavailable, not unreadable', async () => {
    const open = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n';
    const cut = await startRawServer(answering(open, (socket) => socket.end()));
    const guard = testEgress({ allow: [{ host: '127.0.0.1', port: cut.port }] });
    await expect(guard.fetch(get(cut.url))).rejects.toMatchObject({ code: 'upstream_unavailable', retryable: true });
    await Promise.all([guard.close(), cut.close()]);
  });
  it.each([
    ['shorter', `Content-Length: 100\r\n\r\n${'x'.repeat(50)}`, true],
    ['longer', `Content-Length: 10\r\n\r\n${'x'.repeat(50)}`, false],
    ['longer by a second answer', 'Content-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\ny', false],
    ['of two lengths', 'Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx', false],
    ['of a length and chunks', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', false],
    ['with headers without end', `X-Long: ${'x'.repeat(40_000)}\r\n\r\n`, false],
    ['packed and cut', `Content-Encoding: gzip\r\nContent-Length: 15\r\n\r\n${CUT_GZIP}`, false],
    ['packed by nobody', 'Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd', false],
    ['packed as nobody asked', 'Content-Encoding: zstd\r\nContent-Length: 4\r\n\r\nabcd', false],
    ['packed twice', 'Content-Encoding: gzip, gzip\r\nContent-Length: 4\r\n\r\nabcd', false],
  ])('F17d: a body that is %s than announced is never taken for an answer', async (_name, rest, retryable) => {
    const wrong = await startRawServer(
      answering(Buffer.from(`HTTP/1.1 200 OK\r\n${rest}`, 'latin1'), (socket) => socket.end()),
    );
    const guard = testEgress({ allow: [{ host: '127.0.0.1', port: wrong.port }] });
    await expect(guard.fetch(get(wrong.url))).rejects.toMatchObject({ code: 'bad_response', retryable });
    await Promise.all([guard.close(), wrong.close()]);
  });
  it('unfolds compressed answers', async () => {
    const answer = await egress.fetch(get(`${source.url}/gzip`));
    expect(Buffer.from(answer.body).toString()).toBe('unfolded');
  });
});
