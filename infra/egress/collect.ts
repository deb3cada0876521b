import type { Readable } from 'node:stream';

/** A body as a whole. Its cap is the stream's. */
export function collect(body: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => resolve(Buffer.concat(chunks)))
      .once('error', reject)
      .once('close', () => {
        // A body that ended normally needs no error, and errors are expensive to make.
        if (!body.readableEnded) reject(new Error('the answer was left before its end'));
      });
  });
}
