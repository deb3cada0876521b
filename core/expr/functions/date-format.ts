import { namesIn, type DateNames } from './date-names';
import { daysBetween } from '../../base/calendar';
import { clockParts, two, type Moment } from './moment';

/** Parts of a date format, longest first; `[text]` is taken as it is. */
const PARTS = [
  'YYYY',
  'MMMM',
  'dddd',
  'MMM',
  'ddd',
  'SSS',
  'YY',
  'MM',
  'DD',
  'HH',
  'hh',
  'mm',
  'ss',
  'M',
  'D',
  'H',
  'h',
  'm',
  's',
  'A',
  'a',
  'Q',
  'Z',
] as const;
export type Part = (typeof PARTS)[number];
export type Piece = { part: Part } | { text: string; isQuoted?: true };

/** Characters of a format. */
const MAX_FORMAT = 100;

/** Undefined for a format that is too long or has a bracket that is not closed. */
export function piecesOf(format: string): Piece[] | undefined {
  if (format.length > MAX_FORMAT) return undefined;
  const pieces: Piece[] = [];
  for (let at = 0; at < format.length;) {
    if (format[at] === '[') {
      const end = format.indexOf(']', at);
      if (end < 0) return undefined;
      pieces.push({ text: format.slice(at + 1, end), isQuoted: true });
      at = end + 1;
      continue;
    }
    const part = PARTS.find((name) => format.startsWith(name, at));
    const text = format[at] ?? '';
    pieces.push(part === undefined ? { text } : { part });
    at += part?.length ?? 1;
  }
  return pieces;
}

/** The clock as the text of the moment has it, in its own zone. Undefined for an unknown language or format. */
export function formatMoment(moment: Moment, format: string, language: string): string | undefined {
  const names = namesIn(language);
  const pieces = piecesOf(format);
  if (names === undefined || pieces === undefined) return undefined;
  return pieces.map((piece) => ('part' in piece ? partOf(piece.part, moment, names) : piece.text)).join('');
}

/** Monday is 0. */
export function weekdayOf(day: string): number {
  return (daysBetween('0001-01-01', day) ?? 0) % 7;
}

function partOf(part: Part, { day, clock }: Moment, names: DateNames): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const at = clock ?? { second: 0, fraction: '', zone: 'Z' };
  const { hour, minute, second } = clockParts(at);
  switch (part) {
    case 'YYYY':
      return String(year).padStart(4, '0');
    case 'YY':
      return two(year % 100);
    case 'MMMM':
      return names.months[month - 1] ?? '';
    case 'MMM':
      return names.shortMonths[month - 1] ?? '';
    case 'MM':
      return two(month);
    case 'M':
      return String(month);
    case 'DD':
      return two(date);
    case 'D':
      return String(date);
    case 'dddd':
      return names.weekdays[weekdayOf(day)] ?? '';
    case 'ddd':
      return names.shortWeekdays[weekdayOf(day)] ?? '';
    case 'Q':
      return String(Math.ceil(month / 3));
    case 'Z':
      return at.zone;
    case 'SSS':
      return at.fraction.padEnd(3, '0').slice(0, 3);
    default:
      return clockPart(part, { hour, minute, second });
  }
}

function clockPart(part: Part, { hour, minute, second }: { hour: number; minute: number; second: number }): string {
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  switch (part) {
    case 'HH':
      return two(hour);
    case 'H':
      return String(hour);
    case 'hh':
      return two(twelve);
    case 'h':
      return String(twelve);
    case 'mm':
      return two(minute);
    case 'm':
      return String(minute);
    case 'ss':
      return two(second);
    case 's':
      return String(second);
    case 'A':
      return hour < 12 ? 'AM' : 'PM';
    default:
      return hour < 12 ? 'am' : 'pm';
  }
}
