import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parseConfig } from '../../infra/config/config';
import { createEgress } from '../../infra/egress/egress';
import { egressSettings } from '../../infra/egress/settings';

const LOOK_MS = 10;

/**
 * `egress-fetch.main.ts url [file] [maxBytes]`: a process of its own that fetches one address through the guard, into
 * memory or into a file, and prints what came of it and by how much its memory grew at most. Under --expose-gc only what
 * is held counts: by itself V8 lets some 64 MB of buffers lie about before it looks at them.
 */
async function main([url = '', file = '', maxBytes = '']: string[]): Promise<void> {
  const egress = createEgress(egressSettings(parseConfig(process.env)));
  const request = { method: 'GET', timeoutMs: 300_000, ...(maxBytes === '' ? {} : { maxBytes: Number(maxBytes) }) };
  // What is loaded and compiled at the first request is no part of the measure.
  await egress.fetch({ ...request, url: new URL('/warm', url).href });
  global.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const look = setInterval(() => {
    global.gc?.({ type: 'minor' });
    most = Math.max(most, process.memoryUsage.rss());
  }, LOOK_MS);
  const outcome = await (
    file === ''
      ? egress.fetch({ ...request, url }).then(({ status, body }) => ({ status, bytes: body.byteLength }))
      : egress.fetchStream({ ...request, url }).then(async ({ status, body }) => {
          const target = createWriteStream(file);
          await pipeline(body, target);
          return { status, bytes: target.bytesWritten };
        })
  ).catch((error: unknown) => ({ code: (error as { code?: string }).code }));
  clearInterval(look);
  most = Math.max(most, process.memoryUsage.rss());
  await egress.close();
  process.stdout.write(JSON.stringify({ ...outcome, grownBytes: most - before }));
}

void main(process.argv.slice(2));
