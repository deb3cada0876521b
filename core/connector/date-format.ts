import { isDate } from '../base/calendar';

const TOKENS = ['YYYY', 'MM', 'DD', 'HH', 'mm', 'ss'] as const;
type Token = (typeof TOKENS)[number];
type Piece = { token: Token } | { text: string };
const SECONDS = /^-?\d{1,16}(\.\d{1,9})?$/;
const LATEST_SECONDS = 253_402_300_799;

/** Fault of a date format; undefined = none. */
export function dateFormatFault(format: string): string | undefined {
  if (format === 'unix' || format === 'unix_ms') {
    return undefined;
  }
  const tokens = piecesOf(format).flatMap((piece) => ('token' in piece ? [piece.token] : []));
  const twice = tokens.find((token, index) => tokens.indexOf(token) !== index);
  if (twice !== undefined) {
    return `A date format names each part once; \`${twice}\` stands there twice.`;
  }
  const missing = ['YYYY', 'MM', 'DD'].find((token) => !tokens.includes(token as Token));
  return missing === undefined
    ? undefined
    : `A date format is \`unix\`, \`unix_ms\`, or made of ${TOKENS.join(', ')} and literal characters, for example \`MM/DD/YYYY\`; \`${missing}\` is missing.`;
}

/** True when the format tells a time of day too. */
export function hasTime(format: string): boolean {
  return format === 'unix' || format === 'unix_ms' || format.includes('HH');
}

/** Reads texts of one format. */
export function dateReader(format: string): (value: string | number) => string | undefined {
  if (format === 'unix' || format === 'unix_ms') {
    const perSecond = format === 'unix' ? 1 : 1000;
    return (value) => (SECONDS.test(String(value)) ? instantOf(Number(value), perSecond) : undefined);
  }
  const pieces = piecesOf(format);
  const timed = hasTime(format);
  return (value) => (typeof value === 'string' ? readWith(pieces, timed, value.trim()) : undefined);
}

function piecesOf(format: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < format.length;) {
    const token = TOKENS.find((name) => format.startsWith(name, at));
    pieces.push(token === undefined ? { text: format[at] ?? '' } : { token });
    at += token?.length ?? 1;
  }
  return pieces;
}

function readWith(pieces: readonly Piece[], timed: boolean, text: string): string | undefined {
  const parts: Partial<Record<Token, string>> = {};
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if ('text' in piece) {
      if (text[at] !== piece.text) return undefined;
      at += 1;
      continue;
    }
    const digits = digitsAt(text, at, { width: piece.token.length, short: !isToken(pieces[index + 1]) });
    if (digits === undefined) return undefined;
    parts[piece.token] = digits.padStart(piece.token.length, '0');
    at += digits.length;
  }
  // A format without a time takes the date of an instant.
  const ended = at === text.length || (!timed && (text[at] === 'T' || text[at] === ' '));
  return ended ? put(parts, timed) : undefined;
}

function isToken(piece: Piece | undefined): boolean {
  return piece !== undefined && 'token' in piece;
}

/** Years have four digits; other parts may have one where something else ends them: `3/7/2017`. */
function digitsAt(text: string, from: number, rule: { width: number; short: boolean }): string | undefined {
  let end = from;
  while (end < text.length && end - from < rule.width && isDigit(text.charCodeAt(end))) end += 1;
  const least = rule.short && rule.width === 2 ? 1 : rule.width;
  return end - from < least ? undefined : text.slice(from, end);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function put(parts: Partial<Record<Token, string>>, timed: boolean): string | undefined {
  const date = `${parts.YYYY ?? ''}-${parts.MM ?? ''}-${parts.DD ?? ''}`;
  if (!isDate(date)) return undefined;
  if (!timed) return date;
  const [hour, minute, second] = [parts.HH ?? '00', parts.mm ?? '00', parts.ss ?? '00'];
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
    ? `${date}T${hour}:${minute}:${second}Z`
    : undefined;
}

/** Seconds (or thousandths) since 1970 as an instant in UTC. */
function instantOf(value: number, perSecond: number): string | undefined {
  const seconds = value / perSecond;
  if (!Number.isFinite(seconds) || Math.abs(seconds) > LATEST_SECONDS) return undefined;
  const date = new Date(Math.trunc(seconds) * 1000).toISOString();
  return isDate(date.slice(0, 10)) ? date.replace('.000Z', 'Z') : undefined;
}
