import { fetch } from 'undici';
import type { Agent, Response } from 'undici';
import { AppError } from '../../core/errors/app-error';
import { toEgressError } from './failure';
import { DEFAULT_MAX_BYTES } from './types';
import type { EgressResponse } from './types';

export interface Send {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array | string | undefined;
  signal: AbortSignal;
  deadline: AbortSignal;
  maxBytes: number | undefined;
}

/** One exchange without redirects; the body is read whole, within the cap. */
export async function sendOnce(agent: Agent, send: Send): Promise<EgressResponse> {
  try {
    const response = await fetch(send.url, {
      method: send.method,
      headers: { 'user-agent': 'agent-factory', accept: '*/*', ...send.headers },
      redirect: 'manual',
      signal: send.signal,
      dispatcher: agent,
      ...(send.body === undefined ? {} : { body: send.body }),
    });
    const body = await readCapped(response, send);
    const headers = Object.fromEntries([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
    return { status: response.status, headers, body, url: send.url.href };
  } catch (error) {
    throw toEgressError(error, send);
  }
}

/** Counts bytes after decompression: a small answer that unfolds without end stops at the same cap. */
async function readCapped(response: Response, send: Send): Promise<Uint8Array> {
  const max = send.maxBytes ?? DEFAULT_MAX_BYTES;
  if (send.method !== 'HEAD' && Number(response.headers.get('content-length') ?? 0) > max) {
    await response.body?.cancel();
    throw tooLarge(send.url.host, max);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > max) {
      throw tooLarge(send.url.host, max);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(host: string, max: number): AppError {
  return new AppError(
    'response_too_large',
    `The answer of ${host} is larger than ${Math.floor(max / 1024)} KB. Ask for less, or for a page.`,
    {
      category: 'too_large',
    },
  );
}
