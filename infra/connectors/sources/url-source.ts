import type { Json } from '../../../core/base/json';
import type { FileConnection } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import type { Egress } from '../../egress/egress';
import { FileFault } from '../files/file-fault';
import { extensionOf, maxBytes, refuseFormat } from './input-file';
import type { InputFile } from './input-file';

/** Files behind addresses, fetched through the egress guard. */
export function filesOfUrls(
  given: Json,
  use: { egress: Egress; connection: FileConnection; signal: AbortSignal; timeoutMs: number },
): InputFile[] {
  const list = Array.isArray(given) ? given : [given];
  return list.map((item) => {
    if (typeof item !== 'string' || !URL.canParse(item)) {
      throw new AppError('invalid_address', '`urls` must be an absolute http or https address or a list of them.', {
        category: 'bad_request',
      });
    }
    const url = new URL(item);
    const name = decodeURIComponentSafe(url.pathname.split('/').pop() ?? '') || url.hostname;
    return { file: name, file_id: item, open: () => download(item, name, use) };
  });
}

async function download(
  url: string,
  name: string,
  use: { egress: Egress; connection: FileConnection; signal: AbortSignal; timeoutMs: number },
): Promise<Uint8Array> {
  if (extensionOf(name) !== '') {
    refuseFormat(name, use.connection);
  }
  const answer = await use.egress.fetch({
    method: 'GET',
    url,
    signal: use.signal,
    timeoutMs: use.timeoutMs,
    maxBytes: maxBytes(use.connection),
  });
  if (answer.status < 200 || answer.status > 299) {
    throw new FileFault('upstream_status', `The source answered with status ${answer.status}.`);
  }
  return answer.body;
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
