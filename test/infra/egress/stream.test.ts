import { getEventListeners } from 'node:events';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testEgress } from '../../support/egress';
import type { Egress } from '../../../infra/egress/egress';
import type { EgressRequest } from '../../../infra/egress/types';
import { startHttpSource } from '../../support/http-source';
import type { HttpSource } from '../../support/http-source';
import { waitUntil } from '../../support/wait-until';

const MB = 1024 * 1024;
const TOTAL = 128 * MB;
/** Turns of the loop in which a sender that could send would have sent. */
const STILL_TURNS = 500;
let source: HttpSource;
let egress: Egress;
let sent = 0;
let gone = 0;
let release: () => void = () => undefined;

beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    response.on('close', () => (gone += 1));
    const packed: Record<string, () => Buffer> = {
      gzip: () => gzipSync('unfolded'),
      br: () => brotliCompressSync('unfolded'),
      deflate: () => deflateSync('unfolded'),
    };
    const [path = '', coding = ''] = request.url.split('?');
    if (path === '/large') {
      sent = 0;
      const piece = Buffer.alloc(MB / 4);
      const more = (): void => {
        while (sent < TOTAL) {
          sent += piece.length;
          if (!response.write(piece)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    } else if (path === '/held') {
      response.write('first');
      release = () => response.end('last');
    } else if (path === '/packed') {
      response.writeHead(200, { 'content-encoding': coding }).end(packed[coding]?.());
    } else if (path === '/empty-blocks') {
      // Packed bytes that unfold to nothing, without end: only what is on the wire can be counted.
      const nothing = gzipSync('');
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.concat(Array.from({ length: 1_000 }, () => nothing))));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    } else if (path === '/nothing') {
      response.writeHead(Number(coding), { 'content-encoding': 'gzip' }).end();
    } else {
      response.end('short');
    }
  });
  egress = testEgress({ allow: [{ host: '127.0.0.1', port: source.port }] });
});
afterAll(async () => {
  await egress.close();
  await source.close();
});

const get = (path: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  method: 'GET',
  url: `${source.url}${path}`,
  timeoutMs: 60_000,
  ...more,
});

describe('an answer that is read as it comes', () => {
  it('is taken from the peer no faster than it is read', async () => {
    const { body, status } = await egress.fetchStream(get('/large', { maxBytes: TOTAL }));
    expect(status).toBe(200);
    // Sends without a reader: the sender loses what the buffers of two sockets and ours hold, and then nothing more.
    for (let before = -1, still = 0; still < STILL_TURNS;) {
      await nextTurn();
      still = sent === before ? still + 1 : 0;
      before = sent;
    }
    expect(sent).toBeLessThan(TOTAL / 4);
    let read = 0;
    for await (const chunk of body) read += (chunk as Buffer).length;
    expect(read).toBe(TOTAL);
  });

  it('goes on after the first bytes, and ends with the last', async () => {
    const { body, headers, url } = await egress.fetchStream(get('/held'));
    const chunks: string[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    await waitUntil('the first bytes are here', () => chunks.length === 1);
    release();
    await finished(body);
    expect(chunks.join('')).toBe('firstlast');
    expect(url).toBe(`${source.url}/held`);
    expect(headers['transfer-encoding']).toBe('chunked');
  });

  it.each(['gzip', 'br', 'deflate'])('is unfolded from %s', async (coding) => {
    const { body } = await egress.fetchStream(get(`/packed?${coding}`));
    const text = Buffer.concat(await body.toArray()).toString();
    expect(text).toBe('unfolded');
  });

  it.each([
    ['HEAD', '/packed?gzip'],
    ['GET', '/nothing?204'],
    ['GET', '/nothing?304'],
  ])('is empty for %s %s, whatever its headers say of a packing', async (method, path) => {
    const answer = await egress.fetch(get(path, { method }));
    expect(answer.body).toHaveLength(0);
  });

  it.each([
    ['/large', 'what was sent'],
    ['/empty-blocks', 'what was sent packed and unfolds to nothing'],
  ])('%s ends at the cap: %s', async (path) => {
    const { body } = await egress.fetchStream(get(path, { maxBytes: MB }));
    const before = gone;
    await expect(finished(body.resume())).rejects.toMatchObject({ code: 'response_too_large' });
    await waitUntil('the peer is rid of it', () => gone === before + 1);
  });

  it('ends at its deadline, also while nobody reads', async () => {
    const before = gone;
    const { body } = await egress.fetchStream(get('/held', { timeoutMs: 200 }));
    await waitUntil('the peer is rid of it', () => gone === before + 1);
    await expect(body.toArray()).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('ends with the reason of its caller', async () => {
    const abort = new AbortController();
    const { body } = await egress.fetchStream(get('/held', { signal: abort.signal }));
    const reason = new Error('cancelled');
    abort.abort(reason);
    await expect(body.toArray()).rejects.toBe(reason);
  });

  it('that is left early takes its connection along, and lets go of the caller’s signal', async () => {
    const abort = new AbortController();
    const before = gone;
    const { body } = await egress.fetchStream(get('/large', { maxBytes: TOTAL, signal: abort.signal }));
    body.destroy();
    await waitUntil('the peer is rid of it', () => gone === before + 1);
    await waitUntil('nothing listens any more', () => getEventListeners(abort.signal, 'abort').length === 0);
  });

  it('hears of every piece, also before it is read', async () => {
    let heard = 0;
    const { body } = await egress.fetchStream(get('/held', { onBytes: () => (heard += 1) }));
    await waitUntil('the first bytes are heard', () => heard === 1);
    release();
    await body.toArray();
    expect(heard).toBeGreaterThan(1);
  });
});

describe('connections', () => {
  it('are kept after a whole answer and after redirects, for both ways to read', async () => {
    const kept = testEgress({ allow: [{ host: '127.0.0.1', port: source.port }] });
    const before = source.connections();
    for (let turn = 0; turn < 5; turn += 1) {
      await kept.fetch(get('/short'));
      await (await kept.fetchStream(get('/packed?gzip'))).body.toArray();
    }
    expect(source.connections()).toBe(before + 1);
    await kept.close();
  });
});
