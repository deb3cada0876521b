import type { CST } from 'yaml';
import type { Finding } from './problem-list';

interface Fault {
  code: string;
  message: string;
  pos: [number, number];
}
interface Quoted {
  at: number;
  end: number;
  mark: '"' | "'";
}

/**
 * Fault of a text in quotes, in words that name the repair. `all`: the later faults of the document are consequences of
 * it. Undefined: the fault has another reason.
 */
export function quotedFault(
  fault: Fault,
  { text, tokens, lineOf }: { text: string; tokens: readonly CST.Token[]; lineOf: (offset: number) => number },
): { finding: Finding; all: boolean } | undefined {
  const [at] = fault.pos;
  if (fault.message.startsWith('Missing closing')) {
    const quoted = quotedTokens(tokens).find((each) => each.at <= at && each.end >= at - 1);
    return quoted && { finding: { code: 'invalid_yaml', ...unclosed(text, quoted, lineOf) }, all: true };
  }
  if (/need to be on a single line/.test(fault.message) && /["']/.test(text[at] ?? '')) {
    return { finding: { code: 'invalid_yaml', ...KEY_OF_LINES, at }, all: false };
  }
  if (!fault.message.startsWith('Unexpected scalar')) return undefined;
  const before = quotedTokens(tokens).find(({ end }) => end <= at && text.slice(end, at).trim() === '');
  if (before !== undefined) {
    return { finding: { code: 'invalid_yaml', ...endsEarly(before, lineOf), at }, all: false };
  }
  return undefined;
}

const KEY_OF_LINES = {
  message: 'A key in quotes goes on in the next line; a key stands on one line.',
  suggestion: 'Write the key on one line, with \\n in double quotes for a line break.',
};

function unclosed(text: string, quoted: Quoted, lineOf: (at: number) => number): Omit<Finding, 'code'> {
  const first = lineOf(quoted.at);
  const what = nameOf(quoted);
  const { key, indent } = ownerOf(text, quoted.at);
  const next = shallowLine(text, quoted.at, indent);
  if (next === undefined || !closesLater(text, quoted)) {
    return {
      at: quoted.at,
      message: `${what} begins in line ${first} and has no closing quote.`,
      suggestion: `Write ${quoted.mark} where the text ends. ${insideOf(quoted)}`,
    };
  }
  const block =
    key === ''
      ? ''
      : `, or write it as a block: \`${key}|\` and below it the lines without quotes, indented by ${indent + 2} spaces`;
  return {
    at: next,
    message: `${what} begins in line ${first} and goes on in line ${lineOf(next)}, which is not indented far enough.`,
    suggestion: `Indent each further line of the text by at least ${indent + 1} space${indent === 0 ? '' : 's'}${block}.`,
  };
}

function endsEarly(quoted: Quoted, lineOf: (at: number) => number): Omit<Finding, 'code' | 'at'> {
  return {
    message: `${nameOf(quoted)} that begins in line ${lineOf(quoted.at)} ends before this.`,
    suggestion: `${insideOf(quoted)} A value of several parts may also be a block: \`|\` and below it the text without quotes, indented.`,
  };
}

function nameOf({ mark }: Quoted): string {
  return `The text in ${mark === '"' ? 'double' : 'single'} quotes`;
}

function insideOf({ mark }: Quoted): string {
  return mark === '"' ? 'A quote inside it is written \\".' : "A quote inside it is written ''.";
}

/** Tells whether a quote further down could be the end: one behind which the line, the list or the mapping ends. */
function closesLater(text: string, { end, mark }: Quoted): boolean {
  const close = mark === '"' ? /(?<!\\)"(?=\s*(?:$|[,\]}#]))/m : /'(?=\s*(?:$|[,\]}#]))/m;
  const rest = text.slice(end - 1);
  const found = close.exec(rest);
  // One that opens a text of its own belongs to a line of `key: "…"`.
  return found !== null && !opensAgain(rest.slice(0, found.index), mark);
}

function opensAgain(between: string, mark: string): boolean {
  return between.split('\n').some((line) => new RegExp(`(?:^|[:,[{-]\\s)\\s*${mark}`).test(line));
}

/** Beginning of the first line that is indented no more than the key: to YAML it is no part of the text. */
function shallowLine(text: string, from: number, indent: number): number | undefined {
  for (let at = text.indexOf('\n', from) + 1; at > 0; at = text.indexOf('\n', at) + 1) {
    const [lead = '', first = ''] = /^ *(\S?)/.exec(text.slice(at, at + indent + 2)) ?? [];
    if (first !== '' && lead.length - 1 <= indent) return at;
  }
  return undefined;
}

/** The key that the text belongs to, and the column at which it stands. */
function ownerOf(text: string, at: number): { key: string; indent: number } {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const lead = /^[ ]*(?:- +)*/.exec(line)?.[0] ?? '';
  const key = line.slice(lead.length);
  return { key: /^[\w$. -]{1,60}: +$/.test(key) ? key : '', indent: lead.length };
}

function quotedTokens(tokens: readonly CST.Token[]): Quoted[] {
  const found: Quoted[] = [];
  const stack: unknown[] = [...tokens].reverse();
  while (stack.length > 0) {
    const token = stack.pop();
    if (Array.isArray(token)) {
      for (let index = token.length - 1; index >= 0; index -= 1) stack.push(token[index]);
    } else if (typeof token === 'object' && token !== null) {
      const { type, offset, source } = token as { type?: unknown; offset?: unknown; source?: unknown };
      if (typeof offset === 'number' && typeof source === 'string' && /^(double|single)-quoted/.test(String(type))) {
        found.push({ at: offset, end: offset + source.length, mark: type === 'double-quoted-scalar' ? '"' : "'" });
      }
      for (const value of Object.values(token) as unknown[]) if (typeof value === 'object') stack.push(value);
    }
  }
  return found;
}
