/** Fault of a GraphQL text, with its place. */
export interface GraphqlFault {
  message: string;
  at: number;
}

const PUNCTUATION = '!$&():=@[]{|}';

export interface Token {
  kind: 'name' | 'mark' | 'value';
  text: string;
  at: number;
}

/** Marks, names and values, without blanks and comments (October 2021 specification, section 2.1). Linear. */
export function tokenize(text: string): Token[] | GraphqlFault {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfToken(text, at);
    if (end === undefined) {
      return { message: `\`${text.slice(at, at + 10)}\` cannot stand in a GraphQL text.`, at };
    }
    const piece = text.slice(at, end);
    if (/^[_A-Za-z]/.test(piece)) tokens.push({ kind: 'name', text: piece, at });
    else if (piece === '...' || PUNCTUATION.includes(piece)) tokens.push({ kind: 'mark', text: piece, at });
    else if (/^["\d-]/.test(piece)) tokens.push({ kind: 'value', text: '', at });
    at = end;
  }
  return tokens;
}

const BLANK = /[\s,\ufeff]+/y;
const WORD = /[_A-Za-z][_0-9A-Za-z]*/y;
const NUMBER = /-?\d[\d.eE+-]*/y;

/** End of the token, blank or comment at this place; undefined = none begins here. */
function endOfToken(text: string, at: number): number | undefined {
  const first = text[at] ?? '';
  if (first === '#') return endOfLine(text, at);
  if (text.startsWith('"""', at)) return endOfBlock(text, at);
  if (first === '"') return endOfString(text, at);
  if (text.startsWith('...', at)) return at + 3;
  if (PUNCTUATION.includes(first)) return at + 1;
  for (const pattern of [BLANK, WORD, NUMBER]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return undefined;
}

function endOfLine(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return end;
}

function endOfString(text: string, at: number): number | undefined {
  for (let index = at + 1; index < text.length && text[index] !== '\n' && text[index] !== '\r'; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index + 1;
  }
  return undefined;
}

function endOfBlock(text: string, at: number): number | undefined {
  let end = text.indexOf('"""', at + 3);
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf('"""', end + 3);
  return end < 0 ? undefined : end + 3;
}
