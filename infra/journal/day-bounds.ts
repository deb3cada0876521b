import { addDays } from '../../core/base/calendar';

/** Instants between which the days `from` and `to` lie in a time zone: `from` included, `before` excluded. */
export function dayBounds(
  from: string | undefined,
  to: string | undefined,
  timeZone: string,
): { from?: string; before?: string } {
  const next = to === undefined ? undefined : addDays(to, 1);
  return {
    ...(from === undefined ? {} : { from: midnight(from, timeZone) }),
    ...(next === undefined ? {} : { before: midnight(next, timeZone) }),
  };
}

/** The instant at which a day begins there. The offset is asked twice: the first guess may lie across a clock change. */
function midnight(day: string, timeZone: string): string {
  const asUtc = Date.parse(`${day}T00:00:00Z`);
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(guess, timeZone)).toISOString();
}

/** Milliseconds by which local time is ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '00';
  const local = `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`;
  return Date.parse(local) - instant;
}
