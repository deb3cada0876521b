import { promisify } from 'node:util';
import { constants, deflateRawSync, gunzip as gunzipAsync, gzip as gzipAsync } from 'node:zlib';

const compress = promisify<Uint8Array, object, Buffer>(gzipAsync);

const SAMPLE_BYTES = 4_096;

/** Fast level: most content is JSON on its way between steps. Runs on Node's thread pool. */
export function gzip(bytes: Uint8Array): Promise<Buffer> {
  return compress(bytes, { level: isPacked(bytes) ? constants.Z_NO_COMPRESSION : constants.Z_BEST_SPEED });
}

/** Encrypted or compressed content, which gets no smaller: its middle does not. */
function isPacked(bytes: Uint8Array): boolean {
  if (bytes.length < 4 * SAMPLE_BYTES) return false;
  const middle = bytes.subarray(bytes.length >> 1).subarray(0, SAMPLE_BYTES);
  return deflateRawSync(middle, { level: constants.Z_BEST_SPEED }).length >= middle.length;
}

const decompress = promisify<Uint8Array, Buffer>(gunzipAsync);

/** Unpacks bytes; unreadable ones become empty, so that their address does not fit and they count as damaged. */
export function gunzip(bytes: Uint8Array): Promise<Buffer> {
  return decompress(bytes).catch(() => Buffer.alloc(0));
}
