import { decodeAs, declaredEncoding } from '../../formats/text/decode';
import { FileFault } from '../../formats/file-fault';
import { guessEncoding, guessWideEncoding } from '../../formats/text/guess-encoding';
import { charsetOf } from '../scraper/decode-html';

export interface FeedText {
  text: string;
  encoding: string;
  warnings: string[];
}

/**
 * Decodes an answer. In turn: byte order mark, charset of the answer, XML declaration, UTF-8, a guess. A wrongly named
 * encoding is read with a warning.
 */
export function decodeFeed(bytes: Uint8Array, contentType: string): FeedText {
  const marked = (bytes[0] ?? 0) >= 0xef || bytes[0] === 0 ? declaredEncoding(bytes) : undefined;
  const said = [marked, charsetOf(contentType), declaredEncoding(bytes)].filter((label) => label !== undefined);
  const warnings: string[] = [];
  for (const encoding of said) {
    const decoded = decodeAs(bytes, encoding);
    if (typeof decoded === 'object') {
      return { text: decoded.value, encoding, warnings };
    }
    warnings.push(
      `It says that its encoding is \`${encoding}\`, which is ${decoded === 'unknown' ? 'unknown' : 'wrong'}.`,
    );
  }
  const wide = guessWideEncoding(bytes);
  if (wide !== undefined) {
    const message = `It does not say its encoding, which looks like \`${wide}\`.`;
    throw new FileFault('wrong_encoding', message, { line: 1, column: 1 });
  }
  const utf8 = decodeAs(bytes, 'utf-8');
  if (typeof utf8 === 'object') {
    return { text: utf8.value, encoding: 'utf-8', warnings };
  }
  const encoding = guessEncoding(bytes);
  warnings.push(`It does not say its encoding and is not UTF-8: it was read as \`${encoding}\`.`);
  return { text: new TextDecoder(encoding).decode(bytes), encoding, warnings };
}

/** Finds the feed's own element and removes everything around it, also document types with their entities. */
export function rootElement(text: string): { xml: string; name: string; complete: boolean } {
  const start = skipProlog(text);
  const found = /<((?:[A-Za-z_][\w.-]*:)?(?:rss|RDF|feed))[\s>/]/i.exec(text.slice(start));
  if (found?.[1] === undefined) {
    const first = /<([A-Za-z_][\w.:-]*)/.exec(text.slice(start))?.[1];
    throw new FileFault(
      'not_a_feed',
      `The answer is no feed: ${first === undefined ? 'it has no element' : `it begins with \`<${first}>\``}.`,
      { line: text.slice(0, start).split('\n').length, column: 1 },
    );
  }
  const from = start + found.index;
  const end = text.lastIndexOf(`</${found[1]}`);
  const close = end < 0 ? -1 : text.indexOf('>', end);
  const [, name] = found;
  return close < 0
    ? { xml: text.slice(from), name, complete: false }
    : { xml: text.slice(from, close + 1), name, complete: true };
}

/** White space, declarations, comments and the document type, in any order and number. Linear. */
function skipProlog(text: string): number {
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    if (text.startsWith('<?', at)) {
      at = indexAfter(text, '?>', at);
    } else if (text.startsWith('<!--', at)) {
      at = indexAfter(text, '-->', at);
    } else if (text.startsWith('<!', at)) {
      at = skipDoctype(text, at);
    } else {
      return at;
    }
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) <= 32 || text[at] === '\ufeff')) {
    at += 1;
  }
  return at;
}

function indexAfter(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found + end.length;
}

/** Skips a doctype with its internal part, if it has one. */
function skipDoctype(text: string, from: number): number {
  const close = text.indexOf('>', from);
  const open = text.indexOf('[', from);
  if (open < 0 || close < 0 || open > close) {
    return close < 0 ? text.length : close + 1;
  }
  return indexAfter(text, '>', indexAfter(text, ']', open));
}
