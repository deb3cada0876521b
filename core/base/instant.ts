import { isDate } from './calendar';

/** RFC 3339, section 5.6; a blank may stand for the `T`. A time without a zone is none. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

/**
 * True for an instant with its zone that is on the calendar and on the clock. `Date.parse` makes 1 July of 31 June, and
 * midnight of the next day of 24:00. Leap seconds are refused: no time of ours can hold one.
 */
export function isInstant(text: string): boolean {
  const [, day = '', hour, minute, second, zoneHour = '00', zoneMinute = '00'] = INSTANT.exec(text) ?? [];
  if (!isDate(day)) return false;
  return (
    Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60 && Number(zoneHour) < 24 && Number(zoneMinute) < 60
  );
}
