import { MAX_DOCUMENT_CHARS } from '../../core/connector/openapi/read-document';
import { AppError } from '../../core/errors/app-error';
import type { Egress } from '../../infra/egress/egress';

const ONE_FETCH_MS = 10_000;

/** A text from an address, through the guard. Throws what the guard throws, and `upstream_*` for a status of failure. */
export async function fetchText(
  egress: Egress,
  address: string,
  signal: AbortSignal,
): Promise<{ text: string; url: string }> {
  const response = await egress.fetch({
    method: 'GET',
    url: address,
    headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
    timeoutMs: ONE_FETCH_MS,
    maxBytes: MAX_DOCUMENT_CHARS,
    signal,
  });
  if (response.status < 200 || response.status > 299) {
    const { host } = new URL(response.url);
    throw new AppError('upstream_rejected', `${host} answered with status ${response.status}.`, {
      category: 'upstream',
      details: { status: response.status },
    });
  }
  return { text: textOf(response.body), url: response.url };
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new AppError('bad_response', 'The document is not UTF-8 text.', { category: 'upstream' });
  }
}
