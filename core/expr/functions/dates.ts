import { addDays, addMonths, daysBetween, isDate, monthsBetween } from '../../base/calendar';
import type { Json } from '../../base/json';
import { formatMoment, weekdayOf } from './date-format';
import { readMoment } from './date-reading';
import { isWhole, type FunctionEntry, type FunctionTable, type Value } from './entry';
import { moved, momentOf, secondsOf, textOfMoment, type Moment } from './moment';

export const DATES: FunctionTable = [
  [
    'date_diff_days',
    {
      params: 'from: date, to: date',
      gives: 'number',
      example: 'date_diff_days({a.start}, {a.end})',
      call: ([from, to]) => dateDifference(from, to),
    },
  ],
  ['add_days', adds('add_days({today}, 14)', (moment, days) => onDay(moment, (day) => addDays(day, days)))],
  ['add_months', adds('add_months({today}, -3)', (moment, months) => onDay(moment, (day) => addMonths(day, months)))],
  ['add_hours', adds('add_hours({now}, 6)', (moment, hours) => moved(moment, hours * 3_600))],
  [
    'diff',
    {
      params: 'from: date, to: date, unit: text',
      gives: 'number',
      example: "diff({a.start}, {now}, 'hours')",
      call: diff,
    },
  ],
  [
    'start_of',
    { params: 'value: date, unit: text', gives: 'date', example: "start_of({today}, 'month')", call: startOf },
  ],
  [
    'format_date',
    {
      params: 'value: date, format: text, language?: text',
      gives: 'text',
      example: "format_date({today}, 'D MMMM YYYY', 'en')",
      call: formatDate,
    },
  ],
  [
    'parse_date',
    {
      params: 'value: text, format: text, language?: text',
      gives: 'date',
      example: "parse_date({a.filed}, 'MM/DD/YYYY')",
      call: parseDate,
    },
  ],
];

/** Calendar days from one date to the other; of a time stamp, the first ten characters count. */
function dateDifference(from: Value, to: Value): Json {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  const start = datePart(from);
  const end = datePart(to);
  return start === undefined || end === undefined ? null : (daysBetween(start, end) ?? null);
}

function datePart(text: string): string | undefined {
  const separator = text[10];
  return separator === undefined || separator === 'T' || separator === ' ' ? text.slice(0, 10) : undefined;
}

function adds(example: string, add: (moment: Moment, count: number) => Moment | undefined): FunctionEntry {
  return {
    params: 'value: date, count: number',
    gives: 'date',
    example,
    call([value, count]) {
      const moment = momentOf(value);
      const sum = moment && isWhole(count) ? add(moment, count) : undefined;
      return sum === undefined ? null : textOfMoment(sum);
    },
  };
}

/** The clock stays, the day changes. */
function onDay(moment: Moment, change: (day: string) => string | undefined): Moment | undefined {
  const day = change(moment.day);
  return day === undefined ? undefined : { ...moment, day };
}

const SECONDS: ReadonlyMap<string, number> = new Map([
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3_600],
  ['days', 86_400],
  ['weeks', 604_800],
]);
const MONTHS: ReadonlyMap<string, number> = new Map([
  ['months', 1],
  ['quarters', 3],
  ['years', 12],
]);

export const DIFF_UNITS: readonly string[] = [...SECONDS.keys(), ...MONTHS.keys()];
export const START_UNITS: readonly string[] = ['hour', 'day', 'week', 'month', 'quarter', 'year'];

/** Whole units from one to the other, negative when `to` is earlier. A date without a time begins at midnight, UTC. */
function diff([from, to, unit]: readonly Value[]): Json {
  const [start, end] = [momentOf(from), momentOf(to)];
  if (!start || !end || typeof unit !== 'string') return null;
  const months = MONTHS.get(unit);
  if (months !== undefined) return truncated((monthsBetween(start.day, end.day) ?? 0) / months);
  const seconds = SECONDS.get(unit);
  return seconds === undefined ? null : truncated((secondsOf(end) - secondsOf(start)) / seconds);
}

function truncated(count: number): number {
  return Math.trunc(count) + 0;
}

/** The first day of the week (Monday, ISO 8601), month, quarter or year as a date; of `day` and `hour` as the value is. */
function startOf([value, unit]: readonly Value[]): Json {
  const moment = momentOf(value);
  if (!moment) return null;
  const { day, clock } = moment;
  switch (unit) {
    case 'hour':
      return clock === undefined
        ? null
        : textOfMoment({ day, clock: { ...clock, second: clock.second - (clock.second % 3_600), fraction: '' } });
    case 'day':
      return day;
    case 'week':
      return addDays(day, -weekdayOf(day)) ?? null;
    case 'month':
      return `${day.slice(0, 8)}01`;
    case 'quarter': {
      const month = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1;
      return `${day.slice(0, 5)}${String(month).padStart(2, '0')}-01`;
    }
    case 'year':
      return `${day.slice(0, 5)}01-01`;
    default:
      return null;
  }
}

function formatDate(args: readonly Value[]): Json {
  const [value, format] = args;
  const language = args.length > 2 ? args[2] : 'en';
  const moment = momentOf(value);
  if (!moment || typeof format !== 'string' || typeof language !== 'string') return null;
  return formatMoment(moment, format, language) ?? null;
}

function parseDate(args: readonly Value[]): Json {
  const [text, format] = args;
  const language = args.length > 2 ? args[2] : 'en';
  if (typeof text !== 'string' || typeof format !== 'string' || typeof language !== 'string') return null;
  const found = readMoment(text.trim(), format, language);
  return found && isDate(found.day) ? textOfMoment(found) : null;
}
