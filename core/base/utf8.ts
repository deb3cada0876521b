const REPLACEMENT = 0xfffd;

/** UTF-8 bytes of a text; a surrogate without its partner becomes U+FFFD, as in every encoder of the web. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    let point = text.codePointAt(index) ?? REPLACEMENT;
    if (point > 0xffff) index++;
    else if (point >= 0xd800 && point <= 0xdfff) point = REPLACEMENT;
    length = writePoint(bytes, length, point);
  }
  return bytes.subarray(0, length);
}

function writePoint(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  const extra = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  const lead = [0, 0xc0, 0xe0, 0xf0][extra] ?? 0;
  bytes[at] = lead | (point >> (6 * extra));
  for (let rest = extra - 1, next = at + 1; rest >= 0; rest--, next++) {
    bytes[next] = 0x80 | ((point >> (6 * rest)) & 0x3f);
  }
  return at + extra + 1;
}
