import { shortenWithin } from '../../../core/base/shorten';

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['hellip', '…'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
]);
const MAX_SUMMARY = 1_000;

/** The beginning of a text without its mark-up. Linear. */
export function summaryOf(html: string): string {
  const text = plainText(html.slice(0, MAX_SUMMARY * 8));
  return shortenWithin(text, MAX_SUMMARY);
}

/** Removes tags and resolves character references; white space becomes one space. */
export function plainText(html: string): string {
  const bare = html.includes('<') ? withoutTags(html) : html;
  const text = bare.includes('&') ? bare.replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, resolve) : bare;
  // Single spaces, which are most of it, stay as they are.
  return text.replace(/\s\s+|[^\S ]/g, ' ').trim();
}

/** A `<` that begins no tag is text; what is between script and style tags is none. */
function withoutTags(html: string): string {
  const source = html.replace(/<(script|style)\b[^>]{0,200}>[^<]*<\/\1>/gi, ' ');
  let text = '';
  let at = 0;
  for (let open = source.indexOf('<'); open >= 0; open = source.indexOf('<', at)) {
    text += source.slice(at, open);
    const close = /[A-Za-z!/?]/.test(source[open + 1] ?? '') ? source.indexOf('>', open) : open;
    if (close < 0) {
      return text;
    }
    text += close === open ? '<' : ' ';
    at = close + 1;
  }
  return text + source.slice(at);
}

function resolve(whole: string, name: string): string {
  if (!name.startsWith('#')) {
    return NAMED.get(name.toLowerCase()) ?? whole;
  }
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
}
