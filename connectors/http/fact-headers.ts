import { shorten } from '../../core/base/shorten';
import { dateOf } from '../../infra/egress/wait-headers';

/** Readable headers with facts of an answer. All names are lower case. */

type Headers = Record<string, string>;

/** Form of each header, and what is done with another form. */
const FACTS: Record<string, { readable: (text: string) => boolean; instead: string }> = {
  'cache-control': { readable: readsAsDirectives, instead: 'the answer is not kept.' },
  etag: { readable: isTag, instead: 'nobody asks by it whether the answer has changed.' },
  'last-modified': { readable: isDate, instead: 'nobody asks by it whether the answer has changed.' },
  // RFC 9111 5.3: a number, above all 0, is a moment that is over.
  expires: { readable: (text) => isDate(text) || /^-?\d{1,10}$/.test(text), instead: 'it is taken for over.' },
  age: { readable: isCount, instead: 'nobody knows how old the answer was when it came.' },
  date: { readable: isDate, instead: 'nobody knows when the answer was made.' },
  'content-length': { readable: isCount, instead: 'the answer is as long as what came.' },
};

/** Unreadable ones of these headers, for people. */
export function unreadableFacts(headers: Headers): string[] {
  return Object.entries(FACTS).flatMap(([name, { instead }]) => {
    if (!isUnreadable(headers, name)) return [];
    return [`The header \`${name}: ${shorten(headers[name] ?? '')}\` cannot be read: ${instead}`];
  });
}

/** A header that is present but unreadable: it counts neither as absent nor as what it may have meant. */
export function isUnreadable(headers: Headers, name: string): boolean {
  const text = headers[name];
  const fact = FACTS[name];
  return text !== undefined && fact !== undefined && !fact.readable(text.trim());
}

/** Checks each of several values that proxies added. */
function isCount(text: string): boolean {
  return text.split(',').every((part) => /^\s*\d{1,16}\s*$/.test(part));
}

function isDate(text: string): boolean {
  return dateOf(text) !== undefined;
}

/** Accepts a tag without the quotes of RFC 9110 8.8.3: many sources write it so, and it can be sent back. */
function isTag(text: string): boolean {
  return /^(W\/)?"[^"\s]*"$/i.test(text) || /^[^"\s,]+$/.test(text);
}

const DIRECTIVE = /^[!#$%&'*+.^_`|~0-9a-z-]+(\s*=\s*("[^"]*"|[^\s",;]+))?$/i;
const COUNTED = /^(max-age|s-maxage|stale-while-revalidate|stale-if-error|min-fresh)\s*=/i;

/** Ignores unknown directives (RFC 9111 5.2.3); false for a number that cannot be read. */
function readsAsDirectives(text: string): boolean {
  const parts = text.match(/(?:[^,"]|"[^"]*"?)+/g) ?? [];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .every((part) => DIRECTIVE.test(part) && (!COUNTED.test(part) || /=\s*"?\d{1,16}"?$/.test(part)));
}
