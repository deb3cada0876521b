import { FileFault } from './file-fault';

const LABELS: Record<string, string> = {
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
};

/** Bytes of a text file as text. `auto`: byte order mark, then the XML declaration, then UTF-8. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  const label = encoding === 'auto' ? detect(bytes) : encoding;
  try {
    return new TextDecoder(LABELS[label] ?? label, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new FileFault(
        'unknown_encoding',
        `The encoding \`${label}\` is not known. Give \`encoding\` in the connector.`,
      );
    }
    throw new FileFault(
      'wrong_encoding',
      `The file is not ${label}. Give the right \`encoding\` in the connector.`,
      placeOfFault(bytes),
    );
  }
}

function detect(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return 'utf-16le';
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return 'utf-16be';
  }
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head);
  return declared?.[1]?.toLowerCase() ?? 'utf-8';
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
