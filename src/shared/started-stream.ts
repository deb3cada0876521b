import { Readable } from 'node:stream';

/** A stream whose first piece is there already: what cannot be loaded at all is said with words, later it can only break off. */
export async function startedStream(chunks: AsyncGenerator<Buffer>): Promise<Readable> {
  const first = await chunks.next();
  return Readable.from(after(first, chunks), { objectMode: false });
}

async function* after(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
