/** What a source says about when it may be asked again. All headers are lower case. */

type Headers = Record<string, string>;

/** A source that asks for more is asked again after this. */
const LONGEST_MS = 31 * 86_400_000;

/** Milliseconds of `Retry-After` (seconds or a date), else of a reset header; undefined where it says nothing. */
export function askedWaitMs(headers: Headers, now = Date.now()): number | undefined {
  return retryAfterMs(headers['retry-after'], now) ?? resetMs(headers, now);
}

/** RFC 9110 section 10.2.3. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}(\.\d{1,3})?$/.test(text)) return bounded(Number(text) * 1000);
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : bounded(at - now);
}

const RESET_HEADERS = ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'];
const REMAINING_HEADERS = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining'];

const COUNTING_HEADERS = ['ratelimit', ...REMAINING_HEADERS];

export function resetMs(headers: Headers, now = Date.now()): number | undefined {
  const field = parametersOf(headers['ratelimit']);
  const combined = field.get('reset') ?? field.get('t');
  for (const text of [combined, ...RESET_HEADERS.map((name) => headers[name])]) {
    const wait = text === undefined ? undefined : momentOf(text.trim(), now);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/** The source counts down and this answer was the last one: the next would be refused. */
export function usedUpMs(headers: Headers, now = Date.now()): number | undefined {
  if (!COUNTING_HEADERS.some((name) => headers[name] !== undefined)) return undefined;
  const field = parametersOf(headers['ratelimit']);
  const texts = [field.get('remaining') ?? field.get('r'), ...REMAINING_HEADERS.map((name) => headers[name])];
  const left = texts.find((text) => text !== undefined && /^\d+$/.test(text.trim()));
  if (left === undefined || Number(left) > 0) return undefined;
  const wait = resetMs(headers, now);
  return wait === undefined || wait === 0 ? undefined : wait;
}

/** Seconds from now, a Unix time in seconds or milliseconds, or a date: sources write all of them. */
function momentOf(text: string, now: number): number | undefined {
  if (/^\d{1,16}(\.\d{1,6})?$/.test(text)) {
    const number = Number(text);
    if (number > 1e11) return bounded(number - now);
    return number > 1e8 ? bounded(number * 1000 - now) : bounded(number * 1000);
  }
  const at = /[a-z]|-\d\d-/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : bounded(at - now);
}

/** `limit=10, remaining=0, reset=7` and `"default";r=0;t=7`. */
function parametersOf(header: string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const piece of header?.split(/[,;]/) ?? []) {
    const [name = '', value] = piece.split('=', 2);
    if (value !== undefined && !found.has(name.trim())) found.set(name.trim(), value.trim());
  }
  return found;
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_MS);
}
