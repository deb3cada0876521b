/** Bytes of one slice: quick to send, and most results fit into the first one. */
const SLICE_BYTES = 512 * 1024;
const CONTINUES = 0x80;
const IS_CONTINUATION = 0xc0;

/** A part of a JSON text that begins at byte `from`, whole characters only; `next`: where the rest begins. */
export async function jsonSlice(
  chunks: AsyncIterable<Buffer>,
  from: number,
  most = SLICE_BYTES,
): Promise<{ text: string; next?: number }> {
  const parts: Buffer[] = [];
  let at = 0;
  let taken = 0;
  for await (const chunk of chunks) {
    const begin = Math.max(0, from - at);
    at += chunk.length;
    if (begin >= chunk.length) continue;
    parts.push(chunk.subarray(begin));
    taken += chunk.length - begin;
    // One byte more than is given says that there is more.
    if (taken > most) break;
  }
  const bytes = Buffer.concat(parts);
  if (bytes.length <= most) return { text: bytes.toString('utf8') };
  const end = boundary(bytes, most);
  return { text: bytes.toString('utf8', 0, end), next: from + end };
}

/** The last place up to `most` that does not lie inside a character. */
function boundary(bytes: Buffer, most: number): number {
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & IS_CONTINUATION) === CONTINUES) end -= 1;
  return end;
}
