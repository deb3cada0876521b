/** Code points that windows-1252 puts at 0x80 to 0x9f. */
const HIGH = new Map(
  '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'.split('').map((character) => [character, byteOf(character)] as const),
);

/** First and second byte of a longer UTF-8 character, read as windows-1252. */
const PAIR = /[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

function byteOf(character: string): number {
  const bytes = Array.from({ length: 32 }, (_, index) => 0x80 + index);
  const decoder = new TextDecoder('windows-1252');
  return bytes.find((byte) => decoder.decode(Uint8Array.of(byte)) === character) ?? 0;
}

/**
 * Text that was UTF-8, was taken for windows-1252 and encoded again (`â€¦` for `…`), as it was meant. Only what is valid
 * UTF-8 as a whole and has no other reading is changed.
 */
export function repairMojibake(text: string): string {
  if (!PAIR.test(text)) {
    return text;
  }
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code < 0x100 ? code : HIGH.get(character);
    if (byte === undefined) {
      return text;
    }
    bytes.push(byte);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return text;
  }
}
