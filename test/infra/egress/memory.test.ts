import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHttpSource } from '../../support/http-source';
import type { HttpSource } from '../../support/http-source';
import { newFolder } from '../../support/run-folder';

const MB = 1024 * 1024;
const GB = 1024 * MB;
/** More than may be held. */
const LARGE = 128 * MB;
const MOST_GROWTH = 64 * MB;
let source: HttpSource;
/** Of the answer that is being sent. */
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
    if (request.url === '/endless') send(zeros, 10 * GB);
    else if (request.url === '/large') send(zeros, LARGE);
    else if (request.url === '/bomb') {
      response.setHeader('content-encoding', 'gzip');
      send(member, 100 * member.length);
    } else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end(zeros);
    else response.end('warm');
  });
});
afterAll(() => source.close());

interface Outcome {
  status?: number;
  bytes?: number;
  code?: string;
  grownBytes: number;
}

/** In a process of its own, whose memory is nobody else's. */
async function fetched(address: string, ...more: string[]): Promise<Outcome> {
  const script = path.resolve('test/support/egress-fetch.main.ts');
  const child = spawn(
    process.execPath,
    ['--expose-gc', '-r', path.resolve('test/support/ts-hook.cjs'), script, `${source.url}${address}`, ...more],
    {
      env: { ...process.env, AF_EGRESS_ALLOW: `127.0.0.1:${source.port}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(said) as Outcome;
}

describe('memory', () => {
  it.each([
    ['F17a: 10 GB in chunks', '/endless', 'response_too_large'],
    ['F17b: 10 MB that unfold to 10 GB', '/bomb', 'response_too_large'],
    ['F17c: a loop of redirects with long bodies', '/loop', 'too_many_redirects'],
  ])('%s ends within the caps', async (_name, address, code) => {
    const outcome = await fetched(address);
    expect(outcome.code).toBe(code);
    expect(outcome.grownBytes).toBeLessThan(MOST_GROWTH);
    expect(sent).toBeLessThan(GB);
  });

  it('128 MB go to a file without being held', async () => {
    const file = path.join(newFolder('egress'), 'answer');
    const outcome = await fetched('/large', file, String(LARGE));
    expect(outcome).toMatchObject({ status: 200, bytes: LARGE });
    expect(statSync(file).size).toBe(LARGE);
    expect(outcome.grownBytes).toBeLessThan(MOST_GROWTH);
  });
});
