import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHttpSource } from '../../support/http-source';
import type { HttpSource } from '../../support/http-source';
import { startRawServer, type RawServer } from '../../support/raw-server';
import { newFolder } from '../../support/run-folder';
import { waitUntil } from '../../support/wait-until';

const MB = 1024 * 1024;
const GB = 1024 * MB;
/** Size above the limit of memory. */
const LARGE = 128 * MB;
const STREAM = 64 * MB;
const MOST_GROWTH = 64 * MB;
/** Peers that drip at the same time. */
const LORISES = 200;
const LORIS_MS = 3000;
const DRIP_MS = 20;

/** Text of each kind, a piece of which goes out again and again. */
const KINDS: Record<string, [type: string, record: string]> = {
  '/stream.xml': ['application/xml', '<row id="1"><name>Example &amp; Sons</name><amount>12.50</amount></row>\n'],
  '/stream.json': ['application/json', '{"id": 1, "name": "Example & Sons", "amount": 12.5},\n'],
  '/stream.csv': ['text/csv', '1,"Example & Sons",12.50\n'],
};

let source: HttpSource;
let loris: RawServer;
/** Bytes of the answer sent so far. */
let sent = 0;

beforeAll(async () => {
  const zeros = Buffer.alloc(MB);
  // Members of gzip in a row are one body: 100 MB of zeros each.
  const member = gzipSync(Buffer.alloc(100 * MB));
  source = await startHttpSource((request, response) => {
    const send = (piece: Buffer, bytes: number): void => {
      sent = 0;
      const more = (): void => {
        while (sent < bytes && !response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    };
    const kind = KINDS[request.url];
    if (request.url === '/endless') send(zeros, 10 * GB);
    else if (request.url === '/large') send(zeros, LARGE);
    else if (request.url === '/bomb') {
      response.setHeader('content-encoding', 'gzip');
      send(member, 100 * member.length);
    } else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end(zeros);
    else if (kind === undefined) response.end('warm');
    else {
      response.setHeader('content-type', kind[0]);
      send(Buffer.alloc(MB, kind[1]), STREAM);
    }
  });
  loris = await startRawServer((socket) => {
    socket.once('data', (chunk: Buffer) => {
      if (chunk.toString().startsWith('GET /warm')) {
        socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nwarm');
        return;
      }
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      const drip = setInterval(() => socket.write('x'), DRIP_MS);
      socket.on('close', () => clearInterval(drip));
    });
  });
});
afterAll(() => Promise.all([source.close(), loris.close()]));

interface Grown {
  outcomes: { status?: number; bytes?: number; code?: string }[];
  grownBytes: number;
}

/** Fetch in a process of its own, so that no other memory counts. */
async function fetched(from: { url: string; port: number }, address: string, ...more: string[]): Promise<Grown> {
  const script = path.resolve('test/support/egress-fetch.main.ts');
  const hook = path.resolve('test/support/ts-hook.cjs');
  const child = spawn(process.execPath, ['--expose-gc', '-r', hook, script, `--url=${from.url}${address}`, ...more], {
    env: { ...process.env, AF_EGRESS_ALLOW: `127.0.0.1:${from.port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  const grown = JSON.parse(said) as Grown;
  expect(grown.grownBytes).toBeLessThan(MOST_GROWTH);
  return grown;
}

describe('memory', () => {
  it.each([
    ['F17a: 10 GB in chunks', '/endless', 'response_too_large'],
    ['F17b: 10 MB that unfold to 10 GB', '/bomb', 'response_too_large'],
    ['F17c: a loop of redirects with long bodies', '/loop', 'too_many_redirects'],
  ])('%s ends within the caps', async (_name, address, code) => {
    const { outcomes } = await fetched(source, address);
    expect(outcomes).toEqual([{ code }]);
    expect(sent).toBeLessThan(GB);
  });

  it(`F16a: ${LORISES} answers that drip end at their deadline, and their connections with them`, async () => {
    const { outcomes } = await fetched(loris, '/slow', `--timeout-ms=${LORIS_MS}`, `--times=${LORISES}`);
    expect(outcomes).toHaveLength(LORISES);
    expect(outcomes.filter(({ code }) => code !== 'upstream_timeout')).toEqual([]);
    await waitUntil('the end of all connections', () => loris.open() === 0);
  });

  it.each(['/large', ...Object.keys(KINDS)])('%s goes to a file without being held', async (address) => {
    const bytes = address === '/large' ? LARGE : STREAM;
    const file = path.join(newFolder('egress'), 'answer');
    const { outcomes } = await fetched(source, address, `--file=${file}`, `--max-bytes=${LARGE}`);
    expect(outcomes).toEqual([{ status: 200, bytes }]);
    expect(statSync(file).size).toBe(bytes);
  });
});
