/** Separator of the newer filings: the control character 28 ("file separator"). */
const SEPARATOR = '\x1c';

/** The cells of one line; older filings are comma-separated with quotes. */
export function fecCells(line: string, commas: boolean): string[] {
  const cells = commas && !line.includes(SEPARATOR) ? splitQuoted(line) : line.split(SEPARATOR).map(unquote);
  return cells.map((cell) => cell.trim());
}

export function usesCommas(firstLine: string): boolean {
  return !firstLine.includes(SEPARATOR);
}

function unquote(cell: string): string {
  return cell.length > 1 && cell.startsWith('"') && cell.endsWith('"') ? cell.slice(1, -1) : cell;
}

/** Linear; a quote inside a cell is doubled, and one that never ends takes the rest of the line. */
function splitQuoted(line: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const start = skipSpaces(line, at);
    const [cell, next] = line[start] === '"' ? quotedCell(line, start + 1) : plainCell(line, at);
    cells.push(cell);
    at = next + 1;
  }
  return cells;
}

function skipSpaces(line: string, at: number): number {
  let start = at;
  while (line[start] === ' ') {
    start += 1;
  }
  return start;
}

function plainCell(line: string, at: number): [cell: string, end: number] {
  const comma = line.indexOf(',', at);
  const end = comma < 0 ? line.length : comma;
  return [line.slice(at, end), end];
}

/** Reads a cell and the index of the next comma. */
function quotedCell(line: string, from: number): [cell: string, end: number] {
  let cell = '';
  let at = from;
  for (;;) {
    const quote = line.indexOf('"', at);
    if (quote < 0) {
      return [cell + line.slice(at), line.length];
    }
    cell += line.slice(at, quote);
    if (line[quote + 1] !== '"') {
      const comma = line.indexOf(',', quote);
      return [cell, comma < 0 ? line.length : comma];
    }
    cell += '"';
    at = quote + 2;
  }
}
