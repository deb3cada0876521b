import type { ExprProblem } from './types';

/** Columns shown around the place. */
const WINDOW = 72;

/** 1-based line and column (in code units) of an offset. Lines end with LF, CR LF or CR. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const end = clamp(offset, text);
  let line = 1;
  let start = 0;
  for (let index = 0; index < end; index++) {
    const next = lineEnd(text, index);
    if (next === undefined || next > end) continue;
    line++;
    start = next;
    index = next - 1;
  }
  return { line, column: end - start + 1 };
}

/**
 * A problem for people: the message, the line of the text with a caret under the place, and what to do.
 * Long lines are cut around the place; tabs and control characters are shown as blanks so that the caret stands right.
 */
export function problemText(text: string, problem: ExprProblem): string {
  const offset = clamp(problem.offset, text);
  const { column } = positionAt(text, offset);
  const start = offset - column + 1;
  const line = text.slice(start, lineStop(text, start));
  const from = Math.max(0, Math.min(column - 1 - WINDOW / 2, line.length - WINDOW));
  const cut = line.slice(from, from + WINDOW);
  const before = from > 0 ? '…' : '';
  const after = from + WINDOW < line.length ? '…' : '';
  const lines = [
    problem.message,
    `  ${before}${plain(cut)}${after}`,
    `  ${' '.repeat(before.length + column - 1 - from)}^`,
  ];
  return problem.suggestion === undefined ? lines.join('\n') : [...lines, problem.suggestion].join('\n');
}

function clamp(offset: number, text: string): number {
  return Math.max(0, Math.min(offset, text.length));
}

/** Offset behind a line end that starts at `index`. */
function lineEnd(text: string, index: number): number | undefined {
  if (text[index] === '\n') return index + 1;
  if (text[index] !== '\r') return undefined;
  return text[index + 1] === '\n' ? index + 2 : index + 1;
}

function lineStop(text: string, start: number): number {
  let stop = start;
  while (stop < text.length && text[stop] !== '\n' && text[stop] !== '\r') stop++;
  return stop;
}

function plain(line: string): string {
  return Array.from({ length: line.length }, (_, index) => (line.charCodeAt(index) < 32 ? ' ' : line[index])).join('');
}
