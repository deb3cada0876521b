import { Agent, fetch as undiciFetch } from 'undici';
import { AppError } from '../../core/errors/app-error';

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** No time limits here: the watchdog has them. */
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 10_000 });

/**
 * A fetch for one provider: only below its base URL, never along a redirect (a key must not travel to
 * another host), with a cap on the answer; `onBytes` hears every chunk, also those the SDK swallows (pings).
 */
export function guardedFetch(baseUrl: string, onBytes: () => void, maxBytes = MAX_RESPONSE_BYTES): typeof fetch {
  const base = new URL(baseUrl);
  const prefix = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  const guarded = async (input: unknown, init: unknown): Promise<unknown> => {
    const url = new URL(String(input));
    if (url.origin !== base.origin || !url.pathname.startsWith(prefix)) {
      throw new AppError(
        'llm_wrong_address',
        'A model request was about to leave for an address that is not the configured one.',
        {
          category: 'internal',
        },
      );
    }
    const options = { ...(init as object), redirect: 'error', dispatcher: agent } as Parameters<typeof undiciFetch>[1];
    const response = await undiciFetch(url, options);
    onBytes();
    return watched(response, onBytes, maxBytes);
  };
  return guarded as typeof fetch;
}

type UndiciResponse = Awaited<ReturnType<typeof undiciFetch>>;

function watched(response: UndiciResponse, onBytes: () => void, maxBytes: number): unknown {
  if (response.body === null) {
    return response;
  }
  let seen = 0;
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      onBytes();
      if (seen > maxBytes) {
        controller.error(tooLarge(maxBytes));
      } else {
        controller.enqueue(chunk);
      }
    },
  });
  const body = (response.body as unknown as ReadableStream<Uint8Array>).pipeThrough(meter);
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'response_too_large',
    `A model's answer is larger than ${Math.ceil(maxBytes / 1024 / 1024)} MB. Ask for less.`,
    {
      category: 'too_large',
    },
  );
}
