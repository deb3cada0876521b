import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { parseConfig } from '../../infra/config/config';
import { createEgress, type Egress } from '../../infra/egress/egress';
import { egressSettings } from '../../infra/egress/settings';
import type { EgressRequest } from '../../infra/egress/types';

/** Bytes between two measurements at most, on a busy machine too. */
const LOOK_BYTES = 2 * 1024 * 1024;
const LOOK_MS = 10;

const { values: asked } = parseArgs({
  options: {
    url: { type: 'string', default: '' },
    /** File that receives the answer; without it the answer is kept in memory. */
    file: { type: 'string', default: '' },
    'max-bytes': { type: 'string' },
    'timeout-ms': { type: 'string', default: '300000' },
    /** Number of requests at the same time. */
    times: { type: 'string', default: '1' },
  },
});

/**
 * A process of its own that fetches one address through the guard, and prints the result and the largest growth of its
 * memory. It runs under --expose-gc and collects before each measurement, so that only what is held counts: V8 alone would keep some 64 MB of
 * unused buffers for an unknown time.
 */
async function main(): Promise<void> {
  const egress = createEgress(egressSettings(parseConfig(process.env)));
  // Code that is loaded and compiled at the first request is not measured.
  await egress.fetch({ method: 'GET', timeoutMs: 60_000, url: new URL('/warm', asked.url).href });
  global.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  let since = 0;
  const look = (): void => {
    since = 0;
    global.gc?.({ type: 'minor' });
    most = Math.max(most, process.memoryUsage.rss());
  };
  const onBytes = (): void => {
    since += 64 * 1024;
    if (since >= LOOK_BYTES) look();
  };
  const timer = setInterval(look, LOOK_MS);
  const request = {
    method: 'GET',
    url: asked.url,
    timeoutMs: Number(asked['timeout-ms']),
    onBytes,
    ...(asked['max-bytes'] === undefined ? {} : { maxBytes: Number(asked['max-bytes']) }),
  };
  const outcomes = await Promise.all(Array.from({ length: Number(asked.times) }, () => outcome(egress, request)));
  clearInterval(timer);
  look();
  await egress.close();
  process.stdout.write(JSON.stringify({ outcomes, grownBytes: most - before }));
}

async function outcome(egress: Egress, request: EgressRequest): Promise<object> {
  try {
    if (asked.file === '') {
      const { status, body } = await egress.fetch(request);
      return { status, bytes: body.byteLength };
    }
    const { status, body } = await egress.fetchStream(request);
    const target = createWriteStream(asked.file);
    await pipeline(body, target);
    return { status, bytes: target.bytesWritten };
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
}

void main();
