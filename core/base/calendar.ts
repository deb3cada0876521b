/** Calendar dates as `YYYY-MM-DD` text, years 0001 to 9999, proleptic Gregorian. No clock, no time zone. */

const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** True for an existing date written exactly `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return dayNumber(text) !== undefined;
}

/** The date `days` later (earlier when negative); undefined for no date, a fraction, or years outside 1 to 9999. */
export function addDays(date: string, days: number): string | undefined {
  const start = dayNumber(date);
  if (start === undefined || !Number.isSafeInteger(days)) return undefined;
  return dateOf(start + days);
}

/** Days from one date to the other: positive when `to` is later. */
export function daysBetween(from: string, to: string): number | undefined {
  const start = dayNumber(from);
  const end = dayNumber(to);
  return start === undefined || end === undefined ? undefined : end - start;
}

/** The same day of another month; its last day where that month is shorter. Undefined as in `addDays`. */
export function addMonths(date: string, months: number): string | undefined {
  if (!isDate(date) || !Number.isSafeInteger(months)) return undefined;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const count = year * 12 + month - 1 + months;
  const [newYear, newMonth] = [Math.floor(count / 12), (count % 12) + 1];
  if (newYear < 1 || newYear > 9999) return undefined;
  return `${padded(newYear, 4)}-${padded(newMonth, 2)}-${padded(Math.min(day, daysInMonth(newYear, newMonth)), 2)}`;
}

/** Whole months from one date to the other: a month is whole on the same day of the next, or on its last day. */
export function monthsBetween(from: string, to: string): number | undefined {
  if (!isDate(from) || !isDate(to)) return undefined;
  if (to < from) return -(monthsBetween(to, from) ?? 0);
  const [startYear = 0, startMonth = 0] = from.split('-').map(Number);
  const [endYear = 0, endMonth = 0] = to.split('-').map(Number);
  const months = (endYear - startYear) * 12 + endMonth - startMonth;
  return (addMonths(from, months) ?? '') > to ? months - 1 : months;
}

/** Days since 1970-01-01 (H. Hinnant, chrono-compatible low-level date algorithms, days_from_civil). */
function dayNumber(text: string): number | undefined {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `dayNumber` (same source, civil_from_days). */
function dateOf(days: number): string | undefined {
  if (days < FIRST_DAY || days > LAST_DAY) return undefined;
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const doe = z - era * 146_097;
  const yoe = Math.floor((doe - Math.floor(doe / 1460) + Math.floor(doe / 36_524) - Math.floor(doe / 146_096)) / 365);
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const mp = Math.floor((5 * doy + 2) / 153);
  const day = doy - Math.floor((153 * mp + 2) / 5) + 1;
  const month = mp < 10 ? mp + 3 : mp - 9;
  const year = yoe + era * 400 + (month <= 2 ? 1 : 0);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function digits(text: string, from: number, to: number): number | undefined {
  let value = 0;
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
