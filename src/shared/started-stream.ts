import { Readable } from 'node:stream';

/**
 * Loads the first piece before the stream starts: an error is then answered in words; later the stream can only break
 * off.
 */
export async function startedStream(chunks: AsyncGenerator<Buffer>): Promise<Readable> {
  const first = await chunks.next();
  return Readable.from(after(first, chunks), { objectMode: false });
}

async function* after(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
