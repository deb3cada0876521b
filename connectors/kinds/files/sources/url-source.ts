import type { Json } from '../../../../core/base/json';
import type { FileConnector } from '../../../../core/connector/types';
import { AppError } from '../../../../core/errors/app-error';
import { FileFault } from '../../../formats/file-fault';
import { exchangeOf } from '../../../http/exchange';
import type { ConnectorCall } from '../../../call/connector-call';
import { extensionOf, maxBytes, refuseFormat } from './input-file';
import type { InputFile } from './input-file';

type FileCall = ConnectorCall<FileConnector>;

/** Files behind addresses, fetched through the egress guard. */
export function filesOfUrls(given: Json, call: FileCall): InputFile[] {
  const list = Array.isArray(given) ? given : [given];
  return list.map((item) => {
    if (typeof item !== 'string' || !URL.canParse(item)) {
      throw new AppError('invalid_address', '`urls` must be an absolute http or https address or a list of them.', {
        category: 'bad_request',
      });
    }
    const url = new URL(item);
    const name = decodeURIComponentSafe(url.pathname.split('/').pop() ?? '') || url.hostname;
    return { file: name, file_id: item, open: () => download(item, name, call) };
  });
}

async function download(url: string, name: string, call: FileCall): Promise<Uint8Array> {
  const { connection } = call.connector;
  if (extensionOf(name) !== '') {
    refuseFormat(name, connection);
  }
  const timeoutMs = Math.max(1, call.deadline - Date.now());
  const request = { method: 'GET', url, timeoutMs, maxBytes: maxBytes(connection) };
  const { response, readable } = await call.http(exchangeOf(call, request));
  if (response.status < 200 || response.status > 299) {
    throw new FileFault('upstream_status', `The source answered with status ${response.status}.`);
  }
  await readable(1);
  return response.body;
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
