/**
 * Links of a `Link` header (RFC 8288): target and parameters with lower-case names; the first of a name counts. Read here, since
 * `http-link-header` gives up a whole header for one link that it cannot read.
 */
interface Link {
  target: string;
  parameters: Map<string, string>;
}

const TARGET = /\s*<([^>]*)>/y;
/** A quoted value may hold what otherwise ends it. */
const PARAMETER = /\s*;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;
/** A relation to the next page, however it is written. */
const NEXT_WORD = /\brel\s*=\s*["']?(?:[^"';,<>]{0,200}\s)?next\b(?!-)/gi;
const NEXT_LINK = /[^,]*,/y;

function parseLinks(header: string): Link[] {
  const links: Link[] = [];
  let at = 0;
  while (at < header.length) {
    const target = matchAt(TARGET, header, at);
    if (target !== undefined) {
      at = TARGET.lastIndex;
      const parameters = new Map<string, string>();
      for (let found = matchAt(PARAMETER, header, at); found !== undefined; found = matchAt(PARAMETER, header, at)) {
        at = PARAMETER.lastIndex;
        const name = (found[1] ?? '').toLowerCase();
        const value = found[2]?.replace(/\\(.)/g, '$1') ?? found[3] ?? '';
        if (!parameters.has(name)) parameters.set(name, value);
      }
      links.push({ target: target[1] ?? '', parameters });
    }
    // Unreadable text is skipped up to the next link.
    if (matchAt(NEXT_LINK, header, at) === undefined) break;
    at = NEXT_LINK.lastIndex;
  }
  return links;
}

/** The target of the link to the next page. A link about something else (`anchor`) is none. */
export function nextLink(header: string | undefined): string | undefined {
  return parseLinks(header ?? '').find(
    ({ parameters }) => !parameters.has('anchor') && relations(parameters).includes('next'),
  )?.target;
}

/**
 * Tells whether a header without a next link may hold an unreadable one: it is no list of links, or names `next` where
 * no link was found.
 */
export function mayNameNext(header: string): boolean {
  const links = parseLinks(header);
  if (links.length === 0) return true;
  const read = links.filter(({ parameters }) => relations(parameters).includes('next')).length;
  return [...header.matchAll(NEXT_WORD)].length > read;
}

/** Some write a relation in single quotes. */
function relations(parameters: ReadonlyMap<string, string>): string[] {
  const rel = parameters.get('rel') ?? '';
  return rel
    .toLowerCase()
    .replace(/^'(.*)'$/, '$1')
    .split(/\s+/);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
