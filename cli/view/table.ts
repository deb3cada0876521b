import { cutTo, outputWidth, plainText, textWidth } from './text-width';

const GAP = 2;
/** A column is not made narrower than this before another is left out. */
const NARROWEST = 8;

export interface ColumnLook {
  /** Numbers stand right. */
  right?: boolean;
  /** True for an id: without room its beginning alone is shown, which every command takes. */
  id?: boolean;
  /** True for a text that a cut would make useless, such as a name that commands take: it is cut last. */
  whole?: boolean;
}

export interface FittedTable {
  lines: string[];
  /** Number of columns that had room. */
  shown: number;
}

/**
 * Rows of cells in columns, within a width. Where it is too small, ids are cut to their beginnings, then the widest columns are
 * cut, then the last are left out; cells that must stay whole are cut only when nothing else can be.
 */
export function fitTable(
  rows: readonly (readonly string[])[],
  width: number,
  looks: readonly ColumnLook[] = [],
): FittedTable {
  // A cell that would not fit alone is cut first: a text of a megabyte is not measured again and again.
  const cells = rows.map((row) => row.map((cell) => cutTo(plainText(cell), width)));
  const wanted = Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, at) =>
    Math.max(...cells.map((row) => textWidth(row[at] ?? ''))),
  );
  const widths = fitted(wanted, width, looks);
  const lines = cells.map((row) =>
    widths
      .map((room, at) => cell(row[at] ?? '', room, looks[at]))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
  return { lines, shown: widths.length };
}

/** A list for people, as wide as the terminal. */
export function table(
  rows: readonly (readonly string[])[],
  looks?: readonly ColumnLook[],
  width: number = outputWidth(),
): string {
  const { lines, shown } = fitTable(rows, width, looks);
  const left = Math.max(0, ...rows.map((row) => row.length)) - shown;
  const note = `(no room for ${left} more column${left === 1 ? '' : 's'}: --json shows all)`;
  return [...lines, ...(left > 0 ? [cutTo(note, width)] : [])].join('\n');
}

/** Widths of the columns that fit. */
function fitted(wanted: readonly number[], room: number, looks: readonly ColumnLook[]): number[] {
  const least = wanted.map((width, at) => (looks[at]?.whole === true ? width : Math.min(width, NARROWEST)));
  let count = wanted.length;
  while (count > 1 && sum(least.slice(0, count)) + GAP * (count - 1) > room) count--;
  const widths = wanted.slice(0, count);
  const space = room - GAP * (count - 1);
  if (sum(widths) > space)
    for (const [at, width] of widths.entries()) if (looks[at]?.id === true) widths[at] = Math.min(width, NARROWEST);
  for (let over = sum(widths) - space; over > 0; over--) {
    // A single column has to give way, whatever it is.
    const spare = widths.map((width, at) => (count === 1 || width > (least[at] ?? 0) ? width : 0));
    const widest = spare.indexOf(Math.max(...spare));
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return widths;
}

function cell(text: string, width: number, { right, id }: ColumnLook = {}): string {
  const isBeginning = id === true && width === NARROWEST && textWidth(text) > width;
  return padded(isBeginning ? text.slice(0, width) : cutTo(text, width), width, right);
}

export function padded(text: string, width: number, right = false): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return right ? space + text : text + space;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
