const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Hours behind UTC of the zones that RFC 822 names; any other counts as UTC, which `unknownZone` tells. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ['EST', -5],
  ['EDT', -4],
  ['CST', -6],
  ['CDT', -5],
  ['MST', -7],
  ['MDT', -6],
  ['PST', -8],
  ['PDT', -7],
  ['CET', 1],
  ['CEST', 2],
  ['BST', 1],
  ['WET', 0],
  ['WEST', 1],
  ['EET', 2],
  ['EEST', 3],
  ['MSK', 3],
  ['JST', 9],
  ['KST', 9],
  ['AEST', 10],
  ['AEDT', 11],
  ['NZST', 12],
  ['NZDT', 13],
  ['AKST', -9],
  ['AKDT', -8],
  ['HST', -10],
  ['GMT', 0],
  ['UTC', 0],
  ['UT', 0],
  ['Z', 0],
]);

const ISO =
  /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?(?:[T ]+(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
const RFC822 =
  /^(?:[A-Za-z]{2,9}\.?,?\s+)?(\d{1,2})[\s-]+(?!marras)([A-Za-z]{3})[A-Za-z]*\.?[\s-]+(\d{4}|\d{2}),?(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([AP])\.?M\b\.?)?)?\s*([A-Za-z]{1,5}|(?:GMT|UTC)?[+-]\d{2}(?::?\d{2})?)?$/i;
/** The same with the month before the day: `Mon, May 25 2020 04:45:26 +0000`. */
const MONTH_FIRST = /^((?:[A-Za-z]{2,9}\.?,?\s+)?)([A-Za-z]{3}[A-Za-z]*)\.?\s+(\d{1,2}),?\s+(?=\d{4}\b)/;
/** Seconds, or thousandths of them. Numbers between are neither. */
const UNIX = /^(?:\d{9,10}|\d{13})$/;

/** A date of a feed, in whatever form, as an RFC 3339 instant in UTC; a date without a zone counts as UTC. */
export function feedDate(text: string): string | undefined {
  const clean = cleaned(text);
  if (UNIX.test(clean)) {
    return instant(clean.length > 10 ? Number(clean) : Number(clean) * 1000);
  }
  const iso = ISO.exec(clean);
  if (iso !== null) {
    return fromParts({
      year: iso[1],
      month: Number(iso[2] ?? 1),
      day: iso[3] ?? '1',
      time: iso.slice(4, 7),
      zone: iso[7],
    });
  }
  const mail = RFC822.exec(dayFirst(clean));
  const month = mail === null ? -1 : MONTHS.indexOf((mail[2] ?? '').toLowerCase());
  const hour = mail === null ? undefined : hourOf(mail[4], mail[7]);
  if (mail === null || month < 0 || hour === 'none') {
    return undefined;
  }
  return fromParts({
    year: fullYear(mail[3] ?? ''),
    month: month + 1,
    day: mail[1],
    time: [hour, mail[5], mail[6]],
    zone: mail[8]?.replace(/^(?:GMT|UTC)(?=[+-])/i, ''),
  });
}

/** Converts an hour with `AM` or `PM` from a clock of twelve. */
function hourOf(hour: string | undefined, half: string | undefined): string | undefined {
  if (half === undefined) return hour;
  const number = Number(hour);
  if (number < 1 || number > 12) return 'none';
  return String((number % 12) + (half.toUpperCase() === 'P' ? 12 : 0));
}

function dayFirst(text: string): string {
  return text.replace(MONTH_FIRST, '$1$3 $2 ');
}

/** The unknown zone of a date that was read as UTC. */
export function unknownZone(text: string): string | undefined {
  const zone = RFC822.exec(dayFirst(cleaned(text)))?.[8]?.toUpperCase();
  return zone === undefined || /[+-]/.test(zone) || ZONES.has(zone) ? undefined : zone;
}

function cleaned(text: string): string {
  return text.trim().replace(/\s*\([^()]*\)$/, '');
}

interface Parts {
  year: string | undefined;
  month: number;
  day: string | undefined;
  time: (string | undefined)[];
  zone: string | undefined;
}

/** Instant from its parts; undefined for a day or time that does not exist. */
function fromParts({ year, month, day, time, zone }: Parts): string | undefined {
  const [hour, minute, second] = time.map((part) => Number(part ?? 0));
  const at = Date.UTC(Number(year), month - 1, Number(day), hour ?? 0, minute ?? 0, Math.min(59, second ?? 0));
  const found = new Date(at);
  const exists =
    // Programs write a year 0 or 1 for no date.
    Number(year) >= 1000 &&
    found.getUTCMonth() === month - 1 &&
    found.getUTCDate() === Number(day) &&
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60 &&
    // A leap second.
    (second ?? 0) <= 60;
  const offset = offsetMinutes(zone);
  return exists && Math.abs(offset) <= MOST_OFFSET ? instant(at - offset * 60_000) : undefined;
}

/** Minutes: no place on earth is further from UTC. */
const MOST_OFFSET = 15 * 60;

/** Minutes ahead of UTC. */
function offsetMinutes(zone: string | undefined): number {
  const digits = zone === undefined ? null : /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (digits === null) {
    return (ZONES.get((zone ?? '').toUpperCase()) ?? 0) * 60;
  }
  return (digits[1] === '-' ? -1 : 1) * (Number(digits[2]) * 60 + Number(digits[3] ?? 0));
}

/** Two digits: 70 to 99 are the last century. */
function fullYear(text: string): string {
  if (text.length !== 2) {
    return text;
  }
  return Number(text) >= 70 ? `19${text}` : `20${text}`;
}

function instant(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
