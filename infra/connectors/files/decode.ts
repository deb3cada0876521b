import { FileFault } from './file-fault';
import { guessEncoding } from './guess-encoding';

/** ASCII is a part of UTF-8; the standard reads its names as windows-1252. */
const ASCII = new Set(['us-ascii', 'ascii']);

/**
 * Bytes of a text file as text. `auto`: byte order mark, then the XML declaration, then UTF-8; `fallback` is what a
 * kind of file is written in where it is not UTF-8 and does not say so. Nothing is guessed.
 */
export function decodeText(bytes: Uint8Array, encoding: string, fallback?: string): string {
  const label = encoding === 'auto' ? (declaredEncoding(bytes) ?? 'utf-8') : encoding;
  const text = decodeAs(bytes, label);
  if (text === 'unknown') {
    throw new FileFault(
      'unknown_encoding',
      `The encoding \`${label}\` is not known. Give \`encoding\` in the connector.`,
    );
  }
  if (text !== 'invalid') {
    return text.value;
  }
  const other = encoding === 'auto' && fallback !== undefined ? decodeAs(bytes, fallback) : 'invalid';
  if (typeof other === 'object') {
    return other.value;
  }
  throw new FileFault(
    'wrong_encoding',
    `The file is not ${label}. Give the right \`encoding\` in the connector; it may be \`${guessEncoding(bytes)}\`.`,
    placeOfFault(bytes),
  );
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

/** What a byte order mark, the width of the first characters, or an XML declaration says. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) {
    return 'utf-16le';
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) {
    return 'utf-16be';
  }
  if (first === 0xef && second === 0xbb && bytes[2] === 0xbf) {
    return 'utf-8';
  }
  const beginning = bytes.subarray(0, 400);
  // Most texts are no XML, which is told without making a text of them.
  if (!beginning.includes(0x3c)) return undefined;
  const head = Buffer.from(beginning).toString('latin1');
  return /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/.exec(head)?.[1]?.toLowerCase();
}

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
