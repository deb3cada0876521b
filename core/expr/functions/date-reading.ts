import { piecesOf, type Part, type Piece } from './date-format';
import { namesIn, type DateNames } from './date-names';
import type { Moment } from './moment';

type Found = Map<Part, string>;
const TIMES: readonly Part[] = ['HH', 'H', 'hh', 'h', 'mm', 'm', 'ss', 's'];
/** Two digits of a year from 70 are of the last century, as in POSIX `strptime`. */
const CENTURY_FROM = 69;

/**
 * A text by its format: every part has to be there and nothing else. A format with a clock gives an instant, in UTC
 * unless it names the zone (`Z`). Undefined for a text, a format or a language that does not fit.
 */
export function readMoment(text: string, format: string, language: string): Moment | undefined {
  const names = namesIn(language);
  const pieces = piecesOf(format);
  if (names === undefined || pieces === undefined || text.length > 200) return undefined;
  const found: Found = new Map();
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const length =
      'text' in piece ? literal(text, at, piece.text) : partAt(text, at, { piece, next: pieces[index + 1], names });
    if (length === undefined) return undefined;
    if ('part' in piece) found.set(piece.part, text.slice(at, at + length));
    at += length;
  }
  return at === text.length ? momentFrom(found, names) : undefined;
}

function literal(text: string, at: number, expected: string): number | undefined {
  return text.startsWith(expected, at) ? expected.length : undefined;
}

/** Length of a part at a place; undefined = it is not there. */
function partAt(
  text: string,
  at: number,
  { piece, next, names }: { piece: { part: Part }; next: Piece | undefined; names: DateNames },
): number | undefined {
  switch (piece.part) {
    case 'MMMM':
      return nameAt(text, at, names.months)?.length;
    case 'MMM':
      return nameAt(text, at, names.shortMonths)?.length;
    case 'dddd':
      return nameAt(text, at, names.weekdays)?.length;
    case 'ddd':
      return nameAt(text, at, names.shortWeekdays)?.length;
    case 'A':
    case 'a':
      return nameAt(text, at, ['AM', 'PM'])?.length;
    case 'Z':
      return /^(?:Z|[+-]\d{2}:\d{2})/i.exec(text.slice(at, at + 6))?.[0].length;
    default:
      return digitsAt(text, at, piece.part, next !== undefined && 'part' in next);
  }
}

/** Parts that may have fewer digits where something else ends them: `3/7/2017`. */
function digitsAt(text: string, at: number, part: Part, isFollowed: boolean): number | undefined {
  const most = part === 'YYYY' ? 4 : part === 'SSS' ? 3 : part === 'Q' ? 1 : 2;
  const least = part === 'YYYY' || part === 'YY' || part === 'SSS' ? most : isFollowed && part.length === 2 ? 2 : 1;
  let end = at;
  while (end < text.length && end - at < most && /\d/.test(text.charAt(end))) end += 1;
  return end - at < least ? undefined : end - at;
}

/** The longest name that stands there, whatever its case. */
function nameAt(text: string, at: number, names: readonly string[]): string | undefined {
  const rest = text.slice(at, at + 40).toLowerCase();
  const fitting = names.filter((name) => rest.startsWith(name.toLowerCase()));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

function momentFrom(found: Found, names: DateNames): Moment | undefined {
  const year = yearOf(found);
  const month = monthOf(found, names);
  const date = found.get('DD') ?? found.get('D');
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (!TIMES.some((part) => found.has(part))) return { day };
  const second = secondOf(found);
  const zone = (found.get('Z') ?? 'Z').toUpperCase();
  return second === undefined ? undefined : { day, clock: { second, fraction: found.get('SSS') ?? '', zone } };
}

function yearOf(found: Found): string | undefined {
  const short = found.get('YY');
  if (short === undefined) return found.get('YYYY');
  return `${Number(short) < CENTURY_FROM ? '20' : '19'}${short}`;
}

function monthOf(found: Found, names: DateNames): string | undefined {
  for (const [part, list] of [
    ['MMMM', names.months],
    ['MMM', names.shortMonths],
  ] as const) {
    const name = found.get(part)?.toLowerCase();
    if (name !== undefined) return String(list.findIndex((known) => known.toLowerCase() === name) + 1);
  }
  return found.get('MM') ?? found.get('M');
}

/** Seconds since midnight; undefined for what no clock shows. */
function secondOf(found: Found): number | undefined {
  const minute = Number(found.get('mm') ?? found.get('m') ?? 0);
  const second = Number(found.get('ss') ?? found.get('s') ?? 0);
  const half = (found.get('A') ?? found.get('a'))?.toLowerCase();
  const twelve = found.get('hh') ?? found.get('h');
  let hour = Number(found.get('HH') ?? found.get('H') ?? twelve ?? 0);
  if (half !== undefined && twelve !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half === 'pm' ? 12 : 0);
  }
  return hour < 24 && minute < 60 && second < 60 ? hour * 3_600 + minute * 60 + second : undefined;
}
