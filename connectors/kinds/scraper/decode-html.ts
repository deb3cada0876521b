import { decodeAs, declaredEncoding, actualEncoding } from '../../formats/text/decode';
import { FileFault } from '../../formats/file-fault';
import { guessEncoding, guessWideEncoding } from '../../formats/text/guess-encoding';

const PRESCAN = 4_096;

export interface HtmlText {
  text: string;
  /** The encoding, where nobody says it and it is not UTF-8. */
  guessed?: string;
}

/**
 * A page as text: byte order mark, then the charset of the answer, then that of its `meta`, then UTF-8, then a guess.
 * Single bad bytes become U+FFFD: a page is never refused for them.
 */
export function decodeHtml(bytes: Uint8Array, contentType: string): HtmlText {
  const labels = [byteOrderMark(bytes), charsetOf(contentType), metaCharset(bytes)];
  const wide = guessWideEncoding(bytes);
  for (const label of labels) {
    if (label !== undefined && isKnown(label)) {
      const decoder = new TextDecoder(actualEncoding(bytes, label));
      if (wide !== undefined && wide !== decoder.encoding) throw wrongEncoding(`It says \`${label}\``, wide);
      return { text: decoder.decode(bytes) };
    }
  }
  if (wide !== undefined) throw wrongEncoding('It does not say its encoding', wide);
  const utf8 = decodeAs(bytes, 'utf-8');
  if (typeof utf8 === 'object') return { text: utf8.value };
  const guessed = guessEncoding(bytes);
  return { text: new TextDecoder(guessed).decode(bytes), guessed };
}

/** A page of two or four bytes a character that is read as another one has no elements: an empty list that nobody doubts. */
function wrongEncoding(said: string, wide: string): FileFault {
  const message = `${said}, and its bytes look like \`${wide}\`.`;
  return new FileFault('wrong_encoding', message, { line: 1, column: 1 });
}

export function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([A-Za-z0-9._:-]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const marked = (bytes[0] ?? 0) >= 0xef;
  return marked ? declaredEncoding(bytes) : undefined;
}

/** A page that could be searched for its charset is no UTF-16, whatever it says (HTML standard, prescan). */
function metaCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, PRESCAN)).toString('latin1');
  for (const tag of head.match(/<meta\b[^>]{0,500}>/gi) ?? []) {
    const label = charsetOf(tag);
    if (label !== undefined) {
      return label.startsWith('utf-16') ? 'utf-8' : label;
    }
  }
  return undefined;
}

function isKnown(label: string): boolean {
  return decodeAs(new Uint8Array(), label) !== 'unknown';
}
