import type { Json } from '../../../../core/base/json';
import type { FileConnection } from '../../../../core/connector/types';
import { AppError } from '../../../../core/errors/app-error';
import { FileFault } from '../../../formats/file-fault';
import type { Exchanger } from '../../../http/exchange';
import type { CallContext } from '../../../call/types';
import { extensionOf, maxBytes, refuseFormat } from './input-file';
import type { InputFile } from './input-file';

export interface UrlUse {
  exchange: Exchanger;
  connector: string;
  endpoint: string;
  connection: FileConnection;
  context: CallContext;
}

/** Files behind addresses, fetched through the egress guard. */
export function filesOfUrls(given: Json, use: UrlUse): InputFile[] {
  const deadline = Date.now() + use.context.timeoutMs;
  const list = Array.isArray(given) ? given : [given];
  return list.map((item) => {
    if (typeof item !== 'string' || !URL.canParse(item)) {
      throw new AppError('invalid_address', '`urls` must be an absolute http or https address or a list of them.', {
        category: 'bad_request',
      });
    }
    const url = new URL(item);
    const name = decodeURIComponentSafe(url.pathname.split('/').pop() ?? '') || url.hostname;
    return { file: name, file_id: item, open: () => download(item, name, { ...use, deadline }) };
  });
}

async function download(url: string, name: string, use: UrlUse & { deadline: number }): Promise<Uint8Array> {
  const { context, connection } = use;
  if (extensionOf(name) !== '') {
    refuseFormat(name, connection);
  }
  const { response, readable } = await use.exchange({
    request: {
      method: 'GET',
      url,
      signal: context.signal,
      timeoutMs: Math.max(1, use.deadline - Date.now()),
      maxBytes: maxBytes(connection),
    },
    ownerId: context.ownerId,
    connector: { id: use.connector, versionId: context.versionId },
    endpoint: use.endpoint,
    effect: 'none',
    signal: context.signal,
    deadline: use.deadline,
  });
  if (response.status < 200 || response.status > 299) {
    throw new FileFault('upstream_status', `The source answered with status ${response.status}.`);
  }
  await readable?.(1);
  return response.body;
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
