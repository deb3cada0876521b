import { sqlPlaceholders } from '../../../core/connector/sql-placeholders';

/** A statement with `$1` for each `:name`, and the way back to the author's text. */
export interface PositionalSql {
  text: string;
  /** The names in the order of their numbers; each once. */
  names: string[];
  /** Place of each marker in `text`, and its number. */
  markers: { at: number; number: number }[];
  /** The author's character for a character of `text`. */
  sourceAt(at: number): number;
}

/** The grammar checks afterwards that every marker is a parameter: a name that was found by mistake refuses and never lets through. */
export function positionalSql(source: string): PositionalSql {
  const names: string[] = [];
  const markers: { at: number; number: number }[] = [];
  const shifts: { at: number; source: number }[] = [];
  const pieces: string[] = [];
  let length = 0;
  let done = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const { name, at } of sqlPlaceholders(source).filter(({ numbered }) => !numbered)) {
    add(source.slice(done, at));
    if (!names.includes(name)) names.push(name);
    const number = names.indexOf(name) + 1;
    markers.push({ at: length, number });
    shifts.push({ at: length, source: at });
    add(`$${number}`);
    done = at + name.length + 1;
    shifts.push({ at: length, source: done });
  }
  add(source.slice(done));
  return { text: pieces.join(''), names, markers, sourceAt: (place) => sourceAt(shifts, place) };
}

function sourceAt(shifts: readonly { at: number; source: number }[], place: number): number {
  const last = shifts.findLast((shift) => shift.at <= place);
  return last === undefined ? place : last.source + (place - last.at);
}
