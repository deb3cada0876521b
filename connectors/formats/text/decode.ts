import { FileFault } from '../file-fault';
import { guessEncoding, guessWideEncoding } from './guess-encoding';

/** ASCII is a part of UTF-8; the standard reads its names as windows-1252. */
const ASCII = new Set(['us-ascii', 'ascii']);

/**
 * Bytes of a text file as text. `auto`: byte order mark, then the XML declaration, then UTF-8; `fallback` is what a
 * kind of file is written in where it is not UTF-8 and does not say so. Nothing is guessed.
 */
export function decodeText(bytes: Uint8Array, encoding: string, fallback?: string): string {
  // A mark tells more than any name (WHATWG Encoding Standard, "decode").
  const label = bomEncoding(bytes) ?? (encoding === 'auto' ? (declaredEncoding(bytes) ?? 'utf-8') : encoding);
  const text = decodeAs(bytes, label);
  if (text === 'unknown') {
    throw new FileFault(
      'unknown_encoding',
      `The encoding \`${label}\` is not known. Give \`encoding\` in the connector.`,
    );
  }
  if (text !== 'invalid') return plausible(bytes, label, text.value);
  const other = encoding === 'auto' && fallback !== undefined ? decodeAs(bytes, fallback) : 'invalid';
  if (typeof other === 'object') return plausible(bytes, label, other.value);
  throw wrongEncoding(label, shapeOf(bytes) ?? guessEncoding(bytes), placeOfFault(bytes));
}

/** Bytes of UTF-16 and UTF-32 are valid UTF-8 with zeros between the letters, and ASCII bytes are valid UTF-16 with strange letters; so validity proves nothing. */
function plausible(bytes: Uint8Array, label: string, text: string): string {
  const at = text.indexOf('\0');
  if (at >= 0) {
    const before = text.slice(0, at).split('\n');
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw wrongEncoding(label, shapeOf(bytes) ?? 'a file that is no text', place);
  }
  if (label.startsWith('utf-16') && !bytes.includes(0) && typeof decodeAs(bytes, 'utf-8') === 'object') {
    throw wrongEncoding(label, 'utf-8', { line: 1, column: 1 });
  }
  return text;
}

/** Formats in which texts travel packed, by how their bytes begin. */
const PACKED: readonly [name: string, begins: readonly number[]][] = [
  ['gzip', [0x1f, 0x8b]],
  ['a ZIP archive', [0x50, 0x4b, 0x03, 0x04]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58]],
];

function shapeOf(bytes: Uint8Array): string | undefined {
  return PACKED.find(([, begins]) => begins.every((byte, at) => bytes[at] === byte))?.[0] ?? guessWideEncoding(bytes);
}

function wrongEncoding(label: string, guess: string, place: FileFault['place']): FileFault {
  const advice = PACKED.some(([name]) => name === guess)
    ? `it is packed (${guess}): give it unpacked, or have the source say so in \`Content-Encoding\``
    : guess.startsWith('utf-32')
      ? `it looks like \`${guess}\`, which is not read: save it as UTF-8`
      : `give the right \`encoding\` in the connector; it may be \`${guess}\``;
  return new FileFault('wrong_encoding', `The file is not ${label}: ${advice}.`, place);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Every label of the WHATWG Encoding Standard is known. */
export function decodeAs(bytes: Uint8Array, label: string): { value: string } | 'invalid' | 'unknown' {
  try {
    const isUtf8 = label === 'utf-8' || ASCII.has(label);
    return { value: (isUtf8 ? UTF8 : new TextDecoder(label, { fatal: true })).decode(bytes) };
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_ENCODING_NOT_SUPPORTED' ? 'unknown' : 'invalid';
  }
}

/** The encoding of a byte order mark. */
function bomEncoding(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  // UTF-32 has the same beginning, followed by two zeros.
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? undefined : 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Encoding by the byte order mark, the width of the first characters, or an XML declaration. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const marked = bomEncoding(bytes);
  if (marked !== undefined) return marked;
  const [first, second, third, fourth] = bytes;
  if (third === 0 && fourth === 0 && (first === 0xff || first === 0x3c)) return undefined;
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  const beginning = bytes.subarray(0, 400);
  // Checks the bytes for `<` before decoding, as most texts are no XML.
  if (!beginning.includes(0x3c)) return undefined;
  const head = Buffer.from(beginning).toString('latin1');
  const said = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/.exec(head)?.[1]?.toLowerCase();
  return said === undefined ? undefined : actualEncoding(bytes, said);
}

/** Declared by software that writes it out of habit, whatever the bytes are. */
const LATIN = new Set(['iso-8859-1', 'iso8859-1', 'iso_8859-1', 'latin1', 'l1', 'windows-1252', 'cp1252', 'x-cp1252']);
const WIDE = /^(?:utf-16|utf-32|ucs-2|ucs-4|iso-10646-ucs)/;

/**
 * Encoding that an answer or a declaration names, unless the bytes contradict it: a declaration that was read byte by
 * byte is not in UTF-16, and Latin-1 letters that all together are valid UTF-8 are UTF-8.
 */
export function actualEncoding(bytes: Uint8Array, said: string): string {
  const isWide = WIDE.test(said) && !bytes.subarray(0, SEEN_FOR_ZEROS).includes(0);
  const isLatin = LATIN.has(said) && bytes.some((byte) => byte > 0x7f);
  return (isWide || isLatin) && typeof decodeAs(bytes, 'utf-8') === 'object' ? 'utf-8' : said;
}

const SEEN_FOR_ZEROS = 4096;

/** Line and byte column of the first byte sequence that is not UTF-8. */
function placeOfFault(bytes: Uint8Array): { line: number; column: number } {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isUtf8Prefix(bytes.subarray(0, middle))) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const before = Buffer.from(bytes.subarray(0, low)).toString('latin1');
  const line = before.split('\n').length;
  return { line, column: low - before.lastIndexOf('\n') };
}

/** `stream` keeps a sequence that is merely cut off from counting as a fault. */
function isUtf8Prefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
