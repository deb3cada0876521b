/** A statement with `$1` for each `:name`, and the way back to the author's text. */
export interface PositionalSql {
  text: string;
  /** The names in the order of their numbers; each once. */
  names: string[];
  /** Where each marker stands in `text`, and which number it has. */
  markers: { at: number; number: number }[];
  /** The author's character for a character of `text`. */
  sourceAt(at: number): number;
}

/**
 * What is stepped over as a whole, because a `:name` inside is none: comments, texts, quoted names, dollar quotes,
 * casts. The grammar checks afterwards that every marker is a parameter, so a mistake here refuses and never lets through.
 */
const TOKENS: readonly RegExp[] = [
  /--[^\n\r]*/y,
  /[eE]'(?:[^'\\]|''|\\[\s\S])*'/y,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /::|:=/y,
  /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y,
  /\d[\w.]*/y,
];
const NAME = /:([A-Za-z_]\w*)/y;
const DOLLAR = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

export function positionalSql(source: string): PositionalSql {
  const names: string[] = [];
  const markers: { at: number; number: number }[] = [];
  const shifts: { at: number; source: number }[] = [];
  let text = '';
  let at = 0;
  while (at < source.length) {
    const name = matchAt(NAME, source, at)?.[1];
    if (name === undefined) {
      const end = tokenEnd(source, at);
      text += source.slice(at, end);
      at = end;
      continue;
    }
    if (!names.includes(name)) names.push(name);
    const number = names.indexOf(name) + 1;
    markers.push({ at: text.length, number });
    shifts.push({ at: text.length, source: at });
    text += `$${number}`;
    at += name.length + 1;
    shifts.push({ at: text.length, source: at });
  }
  return { text, names, markers, sourceAt: (place) => sourceAt(shifts, place) };
}

function sourceAt(shifts: readonly { at: number; source: number }[], place: number): number {
  const last = shifts.findLast((shift) => shift.at <= place);
  return last === undefined ? place : last.source + (place - last.at);
}

function tokenEnd(source: string, at: number): number {
  if (source.startsWith('/*', at)) return commentEnd(source, at);
  const tag = matchAt(DOLLAR, source, at)?.[0];
  if (tag !== undefined) {
    const end = source.indexOf(tag, at + tag.length);
    return end < 0 ? source.length : end + tag.length;
  }
  for (const token of TOKENS) {
    const found = matchAt(token, source, at);
    if (found !== undefined) return at + found[0].length;
  }
  // Nothing closes it: all that follows is inside.
  return source[at] === "'" || source[at] === '"' ? source.length : at + 1;
}

/** Comments of this kind nest. */
function commentEnd(source: string, from: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = from;
  for (let depth = 0, found = edge.exec(source); found !== null; found = edge.exec(source)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return source.length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
