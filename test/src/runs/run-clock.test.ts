import { describe, expect, it } from '@jest/globals';
import { checkTimeZone, dateIn, resolveClock } from '../../../src/runs/run-clock';

describe('the clock of a run', () => {
  it('takes the date in the zone: 23:30 in one is tomorrow in another', () => {
    const now = new Date('2026-03-09T22:30:00Z');
    expect(dateIn(now, 'UTC')).toBe('2026-03-09');
    expect(resolveClock(now, 'Europe/Berlin', undefined)).toEqual({
      now: '2026-03-09T22:30:00.000Z',
      today: '2026-03-09',
      time_zone: 'Europe/Berlin',
    });
    expect(resolveClock(now, 'Asia/Tokyo', undefined).today).toBe('2026-03-10');
    expect(resolveClock(new Date('2026-03-09T23:30:00Z'), 'Europe/Berlin', undefined).today).toBe('2026-03-10');
  });

  it('gives the start of the last execution as a date of the same zone', () => {
    const clock = resolveClock(new Date('2026-03-09T12:00:00Z'), 'Asia/Tokyo', '2026-03-01T20:00:00.123456Z');
    expect(clock.last_execution_date).toBe('2026-03-02');
  });

  it('knows IANA zones only', () => {
    expect(checkTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
    for (const name of ['+02:00', 'Mars/Olympus', '', '__proto__', 'Europe/Berlin; drop']) {
      expect(() => checkTimeZone(name)).toThrow(/time zone/);
    }
  });
});
