import type { Json } from '../../base/json';
import { piecesOf } from './date-format';
import { LANGUAGES, namesIn } from './date-names';
import { DIFF_UNITS, START_UNITS } from './dates';
import { patternFault } from './patterns';

/** Why a written value is none that the parameter knows; undefined for one that it knows, and for all other parameters. */
export function literalFault(name: string, parameter: string, value: Json): string | undefined {
  if (typeof value !== 'string') return undefined;
  switch (parameter) {
    case 'pattern':
      return ofPattern(value);
    case 'language':
      return namesIn(value) === undefined
        ? `There are no names in "${value}": write one of ${LANGUAGES.join(', ')}.`
        : undefined;
    case 'format':
      return ofFormat(name, value);
    case 'unit':
      return ofUnit(name === 'diff' ? DIFF_UNITS : START_UNITS, value);
    case 'side':
      return ofUnit(['left', 'right'], value);
    case 'part':
      return name === 'replace' && value === '' ? 'An empty part occurs nowhere: name the text to replace.' : undefined;
    default:
      return undefined;
  }
}

function ofPattern(value: string): string | undefined {
  const fault = patternFault(value);
  return fault === undefined ? undefined : `"${value}" is no pattern in RE2 syntax: ${fault}.`;
}

function ofUnit(units: readonly string[], value: string): string | undefined {
  return units.includes(value) ? undefined : `"${value}" is not known here: write ${units.join(', ')}.`;
}

/** Letters of other notations would be taken as they are: `yyyy` is text, `YYYY` the year. */
function ofFormat(name: string, value: string): string | undefined {
  const pieces = piecesOf(value);
  if (pieces === undefined) return 'A date format has at most 100 characters, and each [ a ] behind it.';
  const strange = pieces.find(
    (piece) => 'text' in piece && !piece.isQuoted && /^[a-z%]$/i.test(piece.text) && piece.text !== 'T',
  );
  if (strange !== undefined && 'text' in strange) {
    const written =
      strange.text === '%' ? 'parts as in YYYY-MM-DD' : `[${strange.text}] for the letter, or parts as in YYYY-MM-DD`;
    return `\`${strange.text}\` has no meaning in a date format: write ${written}.`;
  }
  const parts = pieces.flatMap((piece) => ('part' in piece ? [piece.part] : []));
  const has = (...wanted: string[]): boolean => parts.some((part) => wanted.includes(part));
  if (name !== 'parse_date' || (has('YYYY', 'YY') && has('MMMM', 'MMM', 'MM', 'M') && has('DD', 'D'))) return undefined;
  return 'A date is read from a year (YYYY), a month (MM) and a day (DD): one of them is missing in the format.';
}
