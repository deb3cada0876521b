import { shorten } from '../../core/base/shorten';

/** Headers that say when a source may be asked again. All names are lower case. */

type Headers = Record<string, string>;

/** A source that asks for more is asked again after this. */
const LONGEST_MS = 31 * 86_400_000;
/** The pause where the wait of a source cannot be read. */
const UNREADABLE_MS = 60_000;

/** Milliseconds of `Retry-After` (seconds or a date), else of a reset header; undefined where it says nothing. */
export function requestedWaitMs(headers: Headers, now = Date.now()): number | undefined {
  const { ms, unreadable } = longest(headers['retry-after'], now);
  const reset = resetMs(headers, now);
  return unreadable && ms !== undefined ? Math.max(ms, reset ?? 0) : (ms ?? reset);
}

/** RFC 9110 section 10.2.3; of several values, as proxies add them, the longest. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  return longest(header, now).ms;
}

/** The header is present and readable: with it a 503 is a refusal, so nothing was carried out. */
export function hasReadableWait(header: string | undefined): boolean {
  const { ms, unreadable } = longest(header, 0);
  return ms !== undefined && !unreadable;
}

const RESET_HEADERS = ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'];
const REMAINING_HEADERS = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining'];

function resetMs(headers: Headers, now = Date.now()): number | undefined {
  for (const text of [limitOf(headers).reset, ...RESET_HEADERS.map((name) => headers[name])]) {
    const wait = longest(text, now).ms;
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/** The source counts down, and this answer was the last one: the next request would be refused. */
export function exhaustedMs(headers: Headers, now = Date.now()): number | undefined {
  const texts = [limitOf(headers).remaining, ...REMAINING_HEADERS.map((name) => headers[name])];
  const left = texts.map(leastOf).find((count) => count !== undefined);
  if (left === undefined || left > 0) return undefined;
  const wait = resetMs(headers, now);
  return wait === undefined || wait === 0 ? undefined : wait;
}

/** Unreadable ones of these headers, for people. */
export function unreadableWaits(headers: Headers, now = Date.now()): string[] {
  const waits = ['retry-after', ...RESET_HEADERS].filter((name) => longest(headers[name], now).unreadable);
  const counts = REMAINING_HEADERS.filter((name) => isNoCount(headers[name]));
  return [
    ...waits.map((name) => `${headerText(name, headers)} where it asks for a pause, it is 60 seconds at least.`),
    ...[...counts, ...(isNoLimit(headers) ? ['ratelimit'] : [])].map(
      (name) => `${headerText(name, headers)} the limit counts as not used up.`,
    ),
  ];
}

function isNoCount(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '' && leastOf(text) === undefined;
}

/** The header is present, and neither a number of remaining requests nor a time can be read in it. */
function isNoLimit(headers: Headers): boolean {
  if ((headers['ratelimit'] ?? '').trim() === '') return false;
  const { remaining, reset } = limitOf(headers);
  return (remaining ?? reset) === undefined || isNoCount(remaining) || longest(reset, 0).unreadable;
}

function headerText(name: string, headers: Headers): string {
  return `The header \`${name}: ${shorten(headers[name] ?? '')}\` cannot be read:`;
}

interface Word {
  ms: number | undefined;
  unreadable: boolean;
}

/** The longest wait that a header names; a part that cannot be read counts as the safe pause. */
function longest(header: string | undefined, now: number): Word {
  const text = header?.trim() ?? '';
  if (text === '') return { ms: undefined, unreadable: false };
  const whole = momentOf(text, now);
  const waits = whole === undefined ? partsOf(text).map((part) => momentOf(part, now)) : [whole];
  const read = waits.map((wait) => wait ?? UNREADABLE_MS);
  return { ms: Math.max(...read), unreadable: waits.includes(undefined) };
}

/** Splits at commas, except the one after the name of a day. */
function partsOf(text: string): string[] {
  return text
    .split(/(?<!\b(?:mon|tue|tues|wed|wednes|thu|thurs|fri|sat|satur|sun)(?:day)?)\s*,/i)
    .map((part) => part.trim());
}

const NUMBER = /^[+-]?\d{1,16}(\.\d{1,9})?$/;
const UNIT =
  /(\d{1,10}(?:\.\d{1,6})?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)(?![a-z])\s*/gi;
/** `4s`, `1m30s`, `2 hours`. */
const WITH_UNITS = new RegExp(`^(?:${UNIT.source}){1,5}$`, 'i');
const DURATION = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,10}(?:\.\d{1,6})?)S)?)?$/i;
/** IMF-fixdate, RFC 850, asctime and RFC 3339: what else `Date.parse` reads, it guesses. */
const DATES = [
  /^[a-z]{3,9},? \d{1,2}[ -][a-z]{3}[ -]\d{2,4} \d{1,2}:\d\d(:\d\d)?( (gmt|utc|ut|z|[+-]\d{4}))?$/i,
  /^[a-z]{3} [a-z]{3} +\d{1,2} \d\d:\d\d:\d\d \d{4}$/i,
  /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(z|[+-]\d\d:?\d\d)?$/i,
];
const ZONE = /(gmt|utc|ut|z|[+-]\d\d:?\d\d)$/i;

/** Seconds from now, a Unix time in seconds or milliseconds, a duration or a date: sources write all of them. */
function momentOf(text: string, now: number): number | undefined {
  if (NUMBER.test(text)) {
    const number = Number(text);
    if (number > 1e11) return bounded(number - now);
    return number > 1e8 ? bounded(number * 1000 - now) : bounded(number * 1000);
  }
  if (WITH_UNITS.test(text)) {
    const parts = [...text.matchAll(UNIT)].map(([, count, unit = '']) => Number(count) * unitMs(unit));
    return bounded(parts.reduce((sum, part) => sum + part, 0));
  }
  const duration = text.length > 2 ? DURATION.exec(text) : null;
  if (duration !== null) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = duration.slice(1).map((part) => Number(part ?? 0));
    return bounded((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
  }
  const at = dateOf(text);
  return at === undefined ? undefined : bounded(at - now);
}

/** Epoch milliseconds of a date in a header. */
export function dateOf(text: string): number | undefined {
  if (!DATES.some((form) => form.test(text))) return undefined;
  const at = Date.parse(ZONE.test(text) ? text : `${text}${text.includes('-') && /^\d/.test(text) ? 'Z' : ' GMT'}`);
  return Number.isNaN(at) ? undefined : at;
}

function unitMs(unit: string): number {
  const name = unit.toLowerCase();
  if (name.startsWith('ms') || name.startsWith('milli')) return 1;
  if (name.startsWith('s')) return 1000;
  if (name.startsWith('d')) return 86_400_000;
  return name.startsWith('h') ? 3_600_000 : 60_000;
}

/** The smallest of the counts that a header names; nothing where one of them is none. */
function leastOf(header: string | undefined): number | undefined {
  const parts = header?.split(',').map((part) => part.trim()) ?? [];
  return parts.length > 0 && parts.every((part) => /^-?\d{1,15}$/.test(part))
    ? Math.min(...parts.map(Number))
    : undefined;
}

/**
 * `limit=10, remaining=0, reset=7`, or a list of policies: `"default";r=0;t=7, "daily";r=90;t=3600`. Of several the one that has least left counts,
 * and of those the one that lasts longest.
 */
function limitOf(headers: Headers): { remaining?: string | undefined; reset?: string | undefined } {
  const header = headers['ratelimit'];
  if (header === undefined) return {};
  if (/(^|[,;\s])(remaining|reset)\s*=/i.test(header)) {
    const fields = parametersOf(header);
    return { remaining: fields.get('remaining'), reset: fields.get('reset') };
  }
  const policies = header
    .split(',')
    .map(parametersOf)
    .filter((fields) => fields.has('r'));
  const [worst] = policies.toSorted((one, other) => left(one) - left(other) || time(other) - time(one));
  return { remaining: worst?.get('r'), reset: worst?.get('t') };
}

const left = (fields: Map<string, string>): number => Number(fields.get('r') ?? 0) || 0;
const time = (fields: Map<string, string>): number => Number(fields.get('t') ?? 0) || 0;

function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const piece of header.split(/[,;]/)) {
    const [name = '', value] = piece.split('=', 2);
    const key = name.trim().toLowerCase();
    if (value !== undefined && !found.has(key)) found.set(key, value.trim());
  }
  return found;
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_MS);
}
