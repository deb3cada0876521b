import { diffArrays } from 'diff';

/** One line of a hunk: kept, taken away, or new. */
interface DiffLine {
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
/** Texts that differ in more lines are shown as replaced: the search (Myers 1986) is quadratic in the differences. */
const MOST_EDITS = 800;

/**
 * Differences between two texts, as hunks with some lines around each change; empty = equal. Not the library's `structuredPatch`: it gives nothing
 * at all for texts that differ in more than `MOST_EDITS` lines, and adds a line of its own where a text does not end with a line break.
 */
export function lineHunks(from: string, to: string): DiffHunk[] {
  return hunksOf(diffLines(from.split('\n'), to.split('\n')));
}

function diffLines(from: string[], to: string[]): DiffLine[] {
  const changes = diffArrays(from, to, { maxEditLength: MOST_EDITS }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ];
  return changes.flatMap(({ value, removed, added }) => {
    const op = removed ? '-' : added ? '+' : ' ';
    return value.map((text): DiffLine => ({ op, text }));
  });
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
