import { promisify } from 'node:util';
import { constants, gunzip as gunzipAsync, gzip as gzipAsync } from 'node:zlib';

const compress = promisify<Uint8Array, object, Buffer>(gzipAsync);

/** Fast level: most content is JSON on its way between steps. Runs on Node's thread pool. */
export function gzip(bytes: Uint8Array): Promise<Buffer> {
  return compress(bytes, { level: constants.Z_BEST_SPEED });
}

const decompress = promisify<Uint8Array, Buffer>(gunzipAsync);

/** Unpacks bytes; unreadable ones become empty, so that their address does not fit and they count as damaged. */
export function gunzip(bytes: Uint8Array): Promise<Buffer> {
  return decompress(bytes).catch(() => Buffer.alloc(0));
}
