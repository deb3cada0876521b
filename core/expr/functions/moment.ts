import { addDays, daysBetween, isDate } from '../../base/calendar';
import { isInstant } from '../../base/instant';
import type { Value } from './entry';

/** A date, and a clock where it is an instant. */
export interface Moment {
  day: string;
  clock?: Clock;
}

export interface Clock {
  /** Seconds since midnight. */
  second: number;
  /** Digits of a fraction of a second, as they were written. */
  fraction: string;
  /** `Z` or `+02:00`, as it was written: the clock is shown in it. */
  zone: string;
}

const DAY = 86_400;
const EPOCH = '1970-01-01';

/** A date or an instant with its zone, blanks around it allowed; undefined for all else. */
export function momentOf(value: Value): Moment | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const text = value.trim();
  if (isDate(text)) return { day: text };
  if (!isInstant(text)) return undefined;
  const [, fraction = '', zone = ''] = /^.{19}(?:\.(\d+))?(.*)$/.exec(text) ?? [];
  const [hour, minute, second] = [text.slice(11, 13), text.slice(14, 16), text.slice(17, 19)].map(Number);
  return {
    day: text.slice(0, 10),
    clock: { second: (hour ?? 0) * 3_600 + (minute ?? 0) * 60 + (second ?? 0), fraction, zone: zone.toUpperCase() },
  };
}

export function textOfMoment({ day, clock }: Moment): string {
  if (clock === undefined) return day;
  const { hour, minute, second } = clockParts(clock);
  const fraction = clock.fraction === '' ? '' : `.${clock.fraction}`;
  return `${day}T${two(hour)}:${two(minute)}:${two(second)}${fraction}${clock.zone}`;
}

export function clockParts({ second }: Clock): { hour: number; minute: number; second: number } {
  return { hour: Math.floor(second / 3_600), minute: Math.floor(second / 60) % 60, second: second % 60 };
}

export function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** So many seconds later; a date begins at midnight, UTC. Undefined outside of the years 1 to 9999. */
export function moved(moment: Moment, seconds: number): Moment | undefined {
  const clock = moment.clock ?? { second: 0, fraction: '', zone: 'Z' };
  const total = clock.second + seconds;
  const days = Math.floor(total / DAY);
  const day = addDays(moment.day, days);
  return day === undefined ? undefined : { day, clock: { ...clock, second: total - days * DAY } };
}

/** Seconds since 1970, UTC; a date begins at midnight, UTC. */
export function secondsOf({ day, clock }: Moment): number {
  const start = (daysBetween(EPOCH, day) ?? 0) * DAY;
  if (clock === undefined) return start;
  return start + clock.second - offsetOf(clock.zone) + Number(`0.${clock.fraction || '0'}`);
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3_600 + minutes * 60);
}
