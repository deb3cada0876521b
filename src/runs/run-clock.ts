import { AppError } from '../../core/errors/app-error';
import type { RunClock } from '../../core/engine/clock';

/** Formats by the zone's own name, of which there are some hundred; making one is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) {
    return known;
  }
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(format.resolvedOptions().timeZone, format);
  return format;
}

/** Calendar date of an instant in a zone, YYYY-MM-DD. */
export function dateIn(instant: Date, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(instant);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Throws `invalid_time_zone` (422) unless it is an IANA name that this machine knows. */
export function checkTimeZone(name: string): string {
  if (formats.has(name)) {
    return name;
  }
  try {
    // Offsets such as +02:00 are accepted by Intl, but they know no summer time.
    if (/^[A-Za-z]/.test(name)) {
      return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    }
  } catch {
    // Falls through to the one error.
  }
  throw new AppError(
    'invalid_time_zone',
    `"${name}" is not a time zone. Use an IANA name such as Europe/Berlin or UTC.`,
    {
      category: 'validation',
      problems: [
        { severity: 'error', code: 'invalid_time_zone', field: 'time_zone', message: 'Expected an IANA time zone.' },
      ],
    },
  );
}

/** The run's time values, taken once. `lastStartedAt`: start of the latest run that ended well. */
export function resolveClock(now: Date, timeZone: string, lastStartedAt: string | undefined): RunClock {
  const clock: RunClock = { now: now.toISOString(), today: dateIn(now, timeZone), time_zone: timeZone };
  return lastStartedAt === undefined
    ? clock
    : { ...clock, last_execution_date: dateIn(new Date(lastStartedAt), timeZone) };
}
