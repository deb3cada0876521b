/** One line of a hunk: kept, taken away, or new. */
export interface DiffLine {
  op: ' ' | '-' | '+';
  text: string;
}
/** Lines that belong together; starts count from 1. */
export interface DiffHunk {
  from_start: number;
  from_lines: number;
  to_start: number;
  to_lines: number;
  lines: DiffLine[];
}

/** Unchanged lines around a change. */
const CONTEXT = 3;
/** Texts that differ in more lines are shown as replaced: the search is quadratic in the differences. */
const MOST_EDITS = 800;

/** What turned one text into the other, as hunks with some lines around each change. Empty: the texts are equal. */
export function lineHunks(from: string, to: string): DiffHunk[] {
  return hunksOf(diffLines(from.split('\n'), to.split('\n')));
}

function diffLines(from: readonly string[], to: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < from.length - head && tail < to.length - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;
  const kept = (text: string): DiffLine => ({ op: ' ', text });
  const middle = { from: from.slice(head, from.length - tail), to: to.slice(head, to.length - tail) };
  return [
    ...from.slice(0, head).map(kept),
    ...(shortest(middle.from, middle.to) ?? replaced(middle.from, middle.to)),
    ...from.slice(from.length - tail).map(kept),
  ];
}

function replaced(from: readonly string[], to: readonly string[]): DiffLine[] {
  return [...from.map((text): DiffLine => ({ op: '-', text })), ...to.map((text): DiffLine => ({ op: '+', text }))];
}

/** The shortest way from one list to the other (Myers 1986); undefined: it is longer than is looked for. */
function shortest(from: readonly string[], to: readonly string[]): DiffLine[] | undefined {
  const reached: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(from.length + to.length, MOST_EDITS); edits += 1) {
    reached.push(furthest);
    const now = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = step(furthest, diagonal, edits);
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1;
      now.set(diagonal, x);
      if (x >= from.length && x - diagonal >= to.length) return wayBack(from, to, reached);
    }
    furthest = now;
  }
  return undefined;
}

/** Where a diagonal is entered: from above (a new line) or from the left (one taken away). */
function step(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  const left = furthest.get(diagonal - 1) ?? -1;
  const above = furthest.get(diagonal + 1) ?? -1;
  return diagonal === -edits || (diagonal !== edits && left < above) ? above : left + 1;
}

function wayBack(from: readonly string[], to: readonly string[], reached: readonly Map<number, number>[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = from.length;
  let y = to.length;
  for (let edits = reached.length - 1; edits >= 0; edits -= 1) {
    const furthest = reached[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const entered = step(furthest, diagonal, edits);
    const isNew = entered === furthest.get(diagonal + 1);
    while (x > entered && y > entered - diagonal) {
      x -= 1;
      y -= 1;
      lines.push({ op: ' ', text: from[x] ?? '' });
    }
    if (edits === 0) break;
    if (isNew) lines.push({ op: '+', text: to[(y -= 1)] ?? '' });
    else lines.push({ op: '-', text: from[(x -= 1)] ?? '' });
  }
  return lines.reverse();
}

function hunksOf(lines: readonly DiffLine[]): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let from = 1;
  let to = 1;
  let open: { hunk: DiffHunk; quiet: number } | undefined;
  lines.forEach((line, at) => {
    const changed = line.op !== ' ';
    if (changed && open === undefined) {
      const before = lines.slice(Math.max(0, at - CONTEXT), at);
      open = { hunk: hunk(from - before.length, to - before.length, before), quiet: 0 };
      hunks.push(open.hunk);
    }
    if (open !== undefined) {
      open.quiet = changed ? 0 : open.quiet + 1;
      add(open.hunk, line);
      // Two changes with little between them are one hunk; what stands behind the last one is cut below.
      if (open.quiet > 2 * CONTEXT) {
        cut(open.hunk, CONTEXT + 1);
        open = undefined;
      }
    }
    if (line.op !== '+') from += 1;
    if (line.op !== '-') to += 1;
  });
  if (open !== undefined && open.quiet > CONTEXT) cut(open.hunk, open.quiet - CONTEXT);
  return hunks;
}

function hunk(from_start: number, to_start: number, before: readonly DiffLine[]): DiffHunk {
  return { from_start, to_start, from_lines: before.length, to_lines: before.length, lines: [...before] };
}

function add(hunk: DiffHunk, line: DiffLine): void {
  hunk.lines.push(line);
  if (line.op !== '+') hunk.from_lines += 1;
  if (line.op !== '-') hunk.to_lines += 1;
}

/** Takes unchanged lines off the end. */
function cut(hunk: DiffHunk, count: number): void {
  hunk.lines.length -= count;
  hunk.from_lines -= count;
  hunk.to_lines -= count;
}
